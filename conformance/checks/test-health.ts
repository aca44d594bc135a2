import { contract } from "../../generated/operations.ts";
import { expectStatus, expectSuccess, fail } from "../client/expect.ts";
import { check } from "./check.ts";
import { inCase } from "./probe.ts";

const id = "test.health";

/** Conditions that a cache would answer with 304 or 412. */
const conditions: readonly Readonly<Record<string, string>>[] = [
  { "If-None-Match": "*" },
  { "If-None-Match": '"x"' },
  { "If-None-Match": 'W/"x", "y"' },
  { "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" },
  { "If-None-Match": "*", "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" },
];

/** `test.health` (D28). */
export const testHealth = [
  check("test.health/document#get", {}, async (api) => {
    const { status, checks } = expectSuccess(await api.call(id), id);
    if (status !== "pass") fail("status", "pass with status 200", status);
    const failed = Object.entries(checks).filter(([, result]) => result !== "pass");
    if (failed.length > 0) fail("body", "every check passed, since the status is pass", JSON.stringify(checks));
  }),
  check("test.health/document#head", {}, async (api) => {
    expectStatus(await api.call(id, { method: "HEAD" }), 200);
  }),
  check("test.health/version", {}, async (api) => {
    const { version } = expectSuccess(await api.call(id), id);
    const { version: reported } = expectSuccess(await api.call("sysinfo"), "sysinfo");
    if (version !== reported) fail("body", `the version of sysinfo, ${reported}`, version);
    if (version !== contract.version) fail("body", `the version ${contract.version}`, version);
  }),
  check("test.health/fresh#conditional", {}, async (api) => {
    const first = await api.call(id);
    expectSuccess(first, id);
    const etag = first.header("ETag");
    const modified = first.header("Last-Modified");
    const own = [
      ...(etag === undefined ? [] : [{ "If-None-Match": etag }]),
      ...(modified === undefined ? [] : [{ "If-Modified-Since": modified }]),
    ];
    for (const headers of [...conditions, ...own]) {
      for (const method of ["GET", "HEAD"]) {
        const reply = await api.call(id, { method, headers });
        await inCase(`${method} with ${JSON.stringify(headers)}`, async () => expectStatus(reply, 200));
      }
    }
  }),
  check("test.health/fresh#no-store", {}, async (api) => {
    for (const method of ["GET", "HEAD"]) {
      const reply = await api.call(id, { method });
      const directives = (reply.header("Cache-Control") ?? "").toLowerCase().split(/\s*,\s*/);
      if (!directives.includes("no-store"))
        fail("header:cache-control", "Cache-Control: no-store", directives.join(", ") || "none");
    }
  }),
];
