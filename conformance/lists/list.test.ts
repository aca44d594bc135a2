import { expect, it } from "vitest";
import { faults } from "../checks/faults.ts";
import { Expectation, Withheld } from "../client/expectation.ts";
import { contract } from "../contract.ts";
import type { Request } from "../oracle/world.ts";
import { type Arrived, serve } from "../test/server.test-kit.ts";
import { apiFor } from "../test/session.test-kit.ts";
import { checksOf, type List } from "./list.ts";

type Said = { readonly status: number; readonly code?: string; readonly operation?: string } | "silence";

/**
 * A target with the same response to each request of a list; the requests it received, without the one that lists the documents.
 */
async function target(say: (request: Arrived) => Said) {
  const came: string[] = [];
  const url = await serve((request, response) => {
    if (request.url.includes("docs.list")) return void response.end('{"items":[]}');
    came.push(request.url);
    const said = say(request);
    if (said === "silence") return;
    const operation = said.operation && { "X-Operation": said.operation };
    response.writeHead(said.status, { "Content-Type": "application/problem+json", ...operation });
    response.end(JSON.stringify({ code: said.code }));
  });
  return { url, came };
}

const get = (query: string, headers: Request["fields"] = []): Request => ({
  ...{ method: "GET", target: `/api/?${query}`, body: "" },
  fields: [["Host", "one.invalid"], ...headers],
});
const UNKNOWN: Said = { status: 404, code: "operation-not-found" };
const of =
  (id: string, ...requests: readonly Request[]): List =>
  () =>
    requests.map((one) => [id, one] as const);

/** The error of a requirement's check; null if it passes. */
async function outcome(id: string, list: List, api: ReturnType<typeof apiFor>): Promise<unknown> {
  const [check] = checksOf([id], list);
  return check?.run(api).then(
    () => null,
    (error: unknown) => error,
  );
}

it("passes where each response is the one that is predicted", async () => {
  const { url, came } = await target(() => UNKNOWN);
  expect(await outcome("dispatch/unknown", of("dispatch/unknown", get("@=a"), get("@=b")), apiFor(url))).toBeNull();
  expect(came).toEqual(["/api/?@=a", "/api/?@=b"]);
});

it("sends only the cases of its requirement", async () => {
  const { url, came } = await target(() => UNKNOWN);
  const list: List = () => [
    ["dispatch/unknown", get("@=a")],
    ["dispatch/missing", get("@=")],
  ];
  expect(await outcome("dispatch/unknown", list, apiFor(url))).toBeNull();
  expect(came).toEqual(["/api/?@=a"]);
});

it("reports a wrong response with its own exchange, not with the last one", async () => {
  const { url } = await target((request) =>
    request.url.endsWith("=b") ? { status: 500, code: "internal-error" } : UNKNOWN,
  );
  const error = await outcome(
    "dispatch/unknown",
    of("dispatch/unknown", get("@=a"), get("@=b"), get("@=c")),
    apiFor(url),
  );
  expect(error).toBeInstanceOf(Expectation);
  expect(error).toMatchObject({ aspect: "status", exchange: { request: { url: `${url}/api/?@=b` } } });
  expect(String(error)).toContain(
    "404 operation-not-found (GET /api/?@=b, by dispatch/unknown); got 500 internal-error",
  );
});

it("reports first what its own requirement decides, and counts the others", async () => {
  const { url } = await target(() => ({ status: 500, code: "internal-error" }));
  const error = await outcome("dispatch/unknown", of("dispatch/unknown", get("@="), get("@=b")), apiFor(url));
  expect(error).toMatchObject({ exchange: { request: { url: `${url}/api/?@=b` } } });
  expect(String(error)).toContain("and 1 more requests");
});

it("ends after two requests that have no response", async () => {
  const { url, came } = await target(() => "silence");
  const list = of("dispatch/unknown", ...["a", "b", "c", "d"].map((name) => get(`@=${name}`)));
  expect(await outcome("dispatch/unknown", list, apiFor(url, { timeoutMs: 200 }))).toMatchObject({
    aspect: "connection",
  });
  expect(came).toHaveLength(2);
});

it("ends after twenty wrong responses", async () => {
  const { url, came } = await target(() => ({ status: 500, code: "internal-error" }));
  const list = of("dispatch/unknown", ...Array.from({ length: 30 }, (_, index) => get(`@=x${index}`)));
  expect(String(await outcome("dispatch/unknown", list, apiFor(url)))).toContain("and 19 more requests");
  expect(came).toHaveLength(20);
});

it("leaves out what may harm, where a run may not send it", async () => {
  const { url, came } = await target(() => UNKNOWN);
  const api = apiFor(url, { mayHarm: false });
  const harmful = get(`@=${"x".repeat(9000)}`);
  expect(await outcome("dispatch/unknown", of("dispatch/unknown", harmful, get("@=a")), api)).toBeNull();
  expect(came).toEqual(["/api/?@=a"]);
  expect(await outcome("dispatch/unknown", of("dispatch/unknown", harmful), api)).toBeInstanceOf(Withheld);
});

it("leaves out what is rejected as malformed, where a run may not send it", async () => {
  const { url, came } = await target(() => UNKNOWN);
  const harmful: Request = { ...get("@=a"), fields: [...get("@=a").fields, ["Expect", "x"]] };
  const api = apiFor(url, { mayHarm: false });
  expect(await outcome("dispatch/unknown", of("dispatch/unknown", harmful, get("@=a")), api)).toBeNull();
  expect(came).toEqual(["/api/?@=a"]);
});

it("sends below the path prefix a target that names its server", async () => {
  const { url, came } = await target(() => UNKNOWN);
  const whole: Request = { ...get("@=a"), target: `${url}/api/?@=a` };
  expect(await outcome("dispatch/unknown", of("dispatch/unknown", whole), apiFor(`${url}/prefix`))).toBeNull();
  expect(came).toEqual([`${url}/prefix/api/?@=a`]);
});

it("leaves out what would create something, where a run may not write", async () => {
  const { url, came } = await target(() => ({ status: 201, operation: "user.create" }));
  const list: List = ({ oracle, call, input }) => {
    const command = Object.values(oracle.contract.operations).filter(({ method }) => method === "POST");
    return command.map((one) => ["dispatch/body-style", call(one, { input: input(one) })] as const);
  };
  const error = await outcome("dispatch/body-style", list, apiFor(url, { mayWrite: false }));
  expect(error).toMatchObject({ name: "Withheld", effect: "write" });
  expect(came).toEqual([]);
});

it("sends one request of each side in a brief run", async () => {
  const { url, came } = await target(({ url }) =>
    url.includes("sysinfo") ? { status: 200, operation: "sysinfo" } : UNKNOWN,
  );
  const names = ["a", "b", "sysinfo", "sysinfo"];
  const list = of("dispatch/unknown", ...names.map((name) => get(`@=${name}`)));
  await outcome("dispatch/unknown", list, apiFor(url, { brief: true }));
  expect(came).toEqual(["/api/?@=a", "/api/?@=sysinfo"]);
});

it("generates its cases once for all checks of a run", async () => {
  const { url } = await target(() => UNKNOWN);
  let times = 0;
  const list: List = () => {
    times += 1;
    return [
      ["dispatch/unknown", get("@=a")],
      ["dispatch/prototype-names", get("@=b")],
    ];
  };
  const api = apiFor(url);
  for (const { run } of checksOf(["dispatch/unknown", "dispatch/prototype-names"], list)) await run(api);
  expect(times).toBe(1);
});

it("has faults by the steps of the order of checks, for all that one request can fail", () => {
  expect(Object.keys(faults)).toEqual(contract.steps.map(({ step }) => step));
  expect(Object.entries(faults).flatMap(([step, some]) => (some.length === 0 ? [step] : []))).toEqual(["limitRate"]);
});
