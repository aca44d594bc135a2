import { contract } from "../../../generated/operations.ts";
import { expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { memberIn } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";

const id = "test.health";

/** Conditions that a cache would answer with 304 or 412, beside what the answer itself could be kept by. */
const FUTURE = "Fri, 01 Jan 2100 00:00:00 GMT";
const conditions: readonly Readonly<Record<string, string>>[] = [
  ...["*", '"x"', 'W/"x", "y"'].map((value) => ({ "If-None-Match": value })),
  { "If-Modified-Since": FUTURE },
  { "If-None-Match": "*", "If-Modified-Since": FUTURE },
];

/** `test.health` (D28). */
export const testHealth = [
  check("test.health/document", {}, async (api) => {
    const { status, checks } = expectSuccess(await api.call(id), id);
    if (status !== "pass") fail("body:/status", "pass with status 200", status);
    const failed = Object.entries(checks).filter(([, result]) => result !== "pass");
    if (failed.length > 0) fail("body:/checks", "every check passed, since the status is pass", JSON.stringify(checks));
    expectStatus(await api.call(id, { method: "HEAD" }), 200);
  }),
  check("test.health/version", {}, async (api) => {
    const [health, sysinfo] = [await api.call(id), await api.call("sysinfo")];
    const version = memberIn(health.body, "version") ?? "none";
    for (const wanted of [contract.version, memberIn(sysinfo.body, "version")])
      if (version !== wanted) fail("body:/version", `the version ${wanted}, as sysinfo says`, version);
  }),
  check("test.health/fresh", {}, async (api) => {
    const first = await api.call(id);
    const etag = first.header("ETag");
    const modified = first.header("Last-Modified");
    const own = [
      ...(etag === undefined ? [] : [{ "If-None-Match": etag }]),
      ...(modified === undefined ? [] : [{ "If-Modified-Since": modified }]),
    ];
    for (const headers of [{}, ...conditions, ...own]) {
      for (const method of ["GET", "HEAD"]) {
        const reply = await api.call(id, { method, headers });
        await inCase(`${method} with ${JSON.stringify(headers)}`, () => expectStatus(reply, 200));
        const directives = (reply.header("Cache-Control") ?? "").toLowerCase().split(/\s*,\s*/);
        if (!directives.includes("no-store"))
          fail("header:cache-control", "Cache-Control: no-store", directives.join(", ") || "none");
      }
    }
  }),
];
