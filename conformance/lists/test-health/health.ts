import type { Check } from "../../checks/check.ts";
import { fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { listed } from "../../laws/headers.ts";
import { type Success, successLaw } from "../../laws/success.ts";
import { type Case, checksOf, type List } from "../list.ts";
import { versionLaw } from "../published/contract.ts";

/** `test.health` (D12, D28): requests, and the laws for its responses. */

const FUTURE = ["If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"] as const;

/** With conditions that a cache would respond to, and with headers that could make the response cacheable. */
const health: List = function* ({ oracle, operations, call }): Generator<Case, void, Reply | undefined> {
  const operation = operations.find(({ id }) => id === "test.health");
  if (!operation) return;
  const reports = oracle.contract.operations.sysinfo;
  if (reports) yield ["test.health/fresh", call(reports)];
  const reply = yield ["test.health/fresh", call(operation)];
  const own = reply?.header("etag") ?? reply?.header("last-modified");
  const tags = ["*", '"x"', 'W/"x", "y"', ...(own ? [own] : [])].map((tag) => [["If-None-Match", tag]] as const);
  const dated = [[FUTURE], [FUTURE, ["If-None-Match", "*"]], ...(own ? [[["If-Modified-Since", own]]] : [])] as const;
  for (const fields of [[], ...tags, ...dated])
    for (const method of ["GET", "HEAD"])
      yield ["test.health/fresh", call(operation, { method, headers: Object.fromEntries(fields) })];
};

const isHealth = ({ operation }: Success) => operation?.id === "test.health";

export const healthLaws: readonly Check[] = [
  successLaw(
    "test.health/document",
    (one) => isHealth(one) && one.json !== null,
    ({ json }) => {
      const { status, checks } = json ?? {};
      if (status !== "pass") fail("body:/status", "pass with status 200", String(status));
      if (Object.values(Object(checks)).some((result) => result !== "pass"))
        fail("body:/checks", "every check passed, since the status is pass", JSON.stringify(checks));
    },
  ),
  versionLaw("test.health/version"),
  successLaw(
    "test.health/fresh#every-response",
    isHealth,
    ({ reply }) => {
      const value = reply.header("cache-control");
      if (!listed(value).has("no-store")) fail("header:cache-control", "Cache-Control: no-store", value ?? "none");
    },
    { bodiless: true },
  ),
];

export const healthLists = checksOf(["test.health/fresh"], health);
