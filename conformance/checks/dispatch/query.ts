import { commands, nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { askEach, expectReached, expectRefusedAs, expectUnknown, inCase, inEach, reach } from "../probe.ts";

/** How a query is read, before anything of the operation (D2). */

const asMalformed = (reply: Reply) => expectRefusedAs(reply, "malformed-query");

/** What cannot be read: each alone, and the first two wherever a query can hold them. */
const MALFORMED = {
  escape: ["%zz", "%", "%4", "%4g", "%g4", "%%40", "%u0040", "a%", "a%2", "%-1", "%+1", "%0x"],
  "utf-8": [
    ...["%ff", "%c3%28", "%80", "%c3", "%c0%af", "%e2%82", "%ed%a0%80", "%f4%90%80%80", "%f0%28%8c%bc", "%fe%ff"],
    "a%c3",
  ],
};

const places = (bad: string) => [
  ...[`${bad}=1&@=sysinfo`, `@=${bad}`, `@=user.list&limit=${bad}`, `@=user.list&X-API-KEY=${bad}`, `x=${bad}`],
  ...[`@=docs.get.${bad}`, `@=no.such.operation&${bad}`],
  // A query is read before the method is judged.
  ...commands.map((operation) => `@=${nameOf(operation)}&x=${bad}`),
];

/** All of these can be read: what is wrong with them, if anything, is found later. */
const READABLE = ["%C3%A9", "%e2%82%ac", "%F0%9F%98%80", "%00", "%25", "%2525", "%EF%BB%BF"];

export const query = [
  ...Object.entries(MALFORMED).map(([variant, all]) =>
    check(`dispatch/malformed-query#${variant}`, { effect: "hostile" }, async (api) => {
      const samples = all.slice(0, 2);
      await askEach(api, [...all.map((bad) => `@=sysinfo&x=${bad}`), ...samples.flatMap(places)], asMalformed);
      const head = samples.flatMap((bad) => [`@=sysinfo&x=${bad}`, `@=${bad}`]);
      await askEach(api, head, asMalformed, { method: "HEAD" });
      await inEach(commands, async (operation) => {
        for (const rawQuery of samples.flatMap((bad) => [bad, `x=${bad}`, `X-API-KEY=${bad}`, `@=${bad}`]))
          asMalformed(await reach(api, operation, { rawQuery }));
        expectReached(await reach(api, operation), operation);
      });
    }),
  ),
  check("dispatch/malformed-query#not-too-strict", {}, async (api) => {
    const queries = READABLE.map((value) => `@=sysinfo&x=${value}`);
    await askEach(api, queries, (reply) => expectRefusedAs(reply, "invalid-input"));
    await askEach(
      api,
      READABLE.map((value) => `@=${value}`),
      expectUnknown,
    );
  }),

  check("dispatch/plus-is-space#names", {}, async (api) => {
    const same = ["a+b=1&a%20b=1", "+a=1&%20a=1", "a++=1&a%20+=1"].map((pairs) => `@=sysinfo&${pairs}`);
    await askEach(api, same, (reply) => expectRefusedAs(reply, "parameter-repeated"));
    await askEach(api, ["@=sysinfo&a+b=1&a%2Bb=1"], (reply) => expectRefusedAs(reply, "invalid-input"));
  }),
  check("dispatch/plus-is-space#values", {}, async (api) => {
    // Header and query are compared: equal is judged further, different is a conflict (D18).
    const credentials = { key: { header: api.key }, platform: { header: "no such" } };
    for (const [blank, code] of [
      ["+", "platform-not-allowed"],
      ["%20", "platform-not-allowed"],
      ["%2B", "credential-conflict"],
    ] as const)
      await inCase(`no${blank}such`, async () => {
        const rawQuery = `@=user.list&X-PLATFORM=no${blank}such`;
        expectRefusedAs(await api.call("user.list", { rawQuery, credentials }), code);
      });
  }),
  check("dispatch/plus-is-space#operation", {}, (api) => {
    const names = ["user+list", "+sysinfo", "sysinfo+", "docs.get.README+", "+", "docs+list"];
    return askEach(
      api,
      names.map((name) => `@=${name}`),
      expectUnknown,
    );
  }),
];
