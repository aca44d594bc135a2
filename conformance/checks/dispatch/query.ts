import type { Api } from "../../client/api.ts";
import { expectProblem, expectStatus } from "../../client/expect.ts";
import { commands, nameOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { expectReached, expectUnknown, inCase, reach } from "../probe.ts";

/** How a query is read, before anything of the operation (D2). */

async function expectMalformed(api: Api, searches: readonly string[]): Promise<void> {
  for (const rawQuery of searches) {
    for (const credentials of ["good", "none"] as const) {
      const reply = await api.call("", { rawQuery, credentials });
      await inCase(`?${rawQuery}`, () => expectProblem(reply, 400, "malformed-query"));
    }
  }
  await api.alive();
}

const brokenEscapes = ["%", "%4", "%zz", "%4g", "%g4", "%%40", "%u0040", "a%", "a%2", "%-1", "%+1", "%0x"];
const noUtf8 = [
  "%ff",
  "%80",
  "%c3",
  "%c3%28",
  "%c0%af",
  "%e2%82",
  "%ed%a0%80",
  "%f4%90%80%80",
  "%f0%28%8c%bc",
  "%fe%ff",
  "a%c3",
];

/** Where a query can hold what cannot be read. */
const places = (bad: string) => [
  `@=sysinfo&x=${bad}`,
  `${bad}=1&@=sysinfo`,
  `@=${bad}`,
  `@=user.list&limit=${bad}`,
  `@=user.list&X-API-KEY=${bad}`,
  `@=docs.get.${bad}`,
  `@=no.such.operation&${bad}`,
  // A query is read before the method is judged.
  ...commands.map((operation) => `@=${nameOf(operation)}&x=${bad}`),
  `x=${bad}`,
];

export const query = [
  check("dispatch/malformed-query#escape", { effect: "hostile" }, async (api) => {
    await expectMalformed(api, [...brokenEscapes.map((bad) => `@=sysinfo&x=${bad}`), ...places("%zz"), ...places("%")]);
  }),
  check("dispatch/malformed-query#utf-8", { effect: "hostile" }, async (api) => {
    await expectMalformed(api, [...noUtf8.map((bad) => `@=sysinfo&x=${bad}`), ...places("%ff"), ...places("%c3%28")]);
  }),
  check("dispatch/malformed-query#POST", { effect: "hostile" }, async (api) => {
    for (const operation of commands) {
      for (const rawQuery of ["%", "x=%zz", "X-API-KEY=%ff", "@=%"]) {
        await inCase(`?${rawQuery}`, async () =>
          expectProblem(await reach(api, operation, { rawQuery }), 400, "malformed-query"),
        );
      }
      expectReached(await reach(api, operation), operation);
    }
  }),
  check("dispatch/malformed-query#HEAD", { effect: "hostile" }, async (api) => {
    for (const rawQuery of ["@=sysinfo&x=%zz", "@=sysinfo&x=%ff", "@=%"]) {
      await inCase(`?${rawQuery}`, async () => expectStatus(await api.call("", { method: "HEAD", rawQuery }), 400));
    }
  }),
  check("dispatch/malformed-query#not-too-strict", {}, async (api) => {
    // All of these can be read: what is wrong with them, if anything, is found later.
    for (const value of ["%C3%A9", "%e2%82%ac", "%F0%9F%98%80", "%00", "%25", "%2525", "%EF%BB%BF"]) {
      const reply = await api.call("", { rawQuery: `@=sysinfo&x=${value}` });
      await inCase(`?@=sysinfo&x=${value}`, () => expectProblem(reply, 422, "invalid-input", "sysinfo"));
      expectUnknown(await api.call("", { rawQuery: `@=${value}` }));
    }
  }),

  check("dispatch/plus-is-space#names", {}, async (api) => {
    for (const [plus, blank] of [
      ["a+b", "a%20b"],
      ["+a", "%20a"],
      ["a++", "a%20+"],
    ] as const) {
      const spelledTwice = await api.call("", { rawQuery: `@=sysinfo&${plus}=1&${blank}=1` });
      await inCase(`${plus} and ${blank} are one name`, () => expectProblem(spelledTwice, 400, "parameter-repeated"));
    }
    const different = await api.call("", { rawQuery: "@=sysinfo&a+b=1&a%2Bb=1" });
    await inCase("a+b and a%2Bb are two names", () => expectProblem(different, 422, "invalid-input", "sysinfo"));
  }),
  check("dispatch/plus-is-space#values", {}, async (api) => {
    // Header and query are compared: equal is judged further, different is a conflict (D18).
    const platform = { header: "no such" };
    const send = (spelling: string) =>
      api.call("user.list", {
        rawQuery: `@=user.list&X-PLATFORM=no${spelling}such`,
        credentials: { key: { header: api.key }, platform },
      });
    for (const spelling of ["+", "%20"]) {
      const reply = await send(spelling);
      await inCase(`no${spelling}such is "no such"`, () =>
        expectProblem(reply, 403, "platform-not-allowed", "user.list"),
      );
    }
    const literal = await send("%2B");
    await inCase('no%2Bsuch is "no+such"', () => expectProblem(literal, 400, "credential-conflict", "user.list"));
  }),
  check("dispatch/plus-is-space#operation", {}, async (api) => {
    for (const value of ["user+list", "+sysinfo", "sysinfo+", "docs.get.README+", "+", "docs+list"]) {
      await inCase(`?@=${value}`, async () => expectUnknown(await api.call("", { rawQuery: `@=${value}` })));
    }
  }),
];
