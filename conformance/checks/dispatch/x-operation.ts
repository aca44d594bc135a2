import { problems } from "../../../generated/operations.ts";
import { order } from "../../../generated/order.ts";
import type { Api } from "../../client/api.ts";
import type { CallCredentials } from "../../client/call.ts";
import { expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { every, type Known, nameOf, operationOf } from "../../client/operation.ts";
import { memberIn, type Reply } from "../../client/reply.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import { check, checkAll } from "../check.ts";
import { inCase, reach } from "../probe.ts";

const NOTHING = "image/png";
const wrongMethods = ({ method }: Known) => (method === "GET" ? ["POST"] : ["GET", "HEAD"]);

/** Each broken input beside good credentials is refused as such: 422. */
const badInput = (api: Api, operation: Known, options: { accept?: string; credentials?: CallCredentials }) =>
  operation.method === "GET"
    ? reach(api, operation, { ...options, input: { ...operation.example, "no-such-parameter": "1" } })
    : reach(api, operation, { ...options, body: { "@": nameOf(operation), data: {}, "no-such-member": 1 } });

/** The answer to a known operation names it (D12). */
export const operationHeader = [
  ...every.map((operation) =>
    check(`dispatch/x-operation#${operation.id}`, {}, async (api) => {
      const named = (label: string, reply: Reply) => inCase(label, () => expectOperation(reply, operation.id));
      await named("reached", await reach(api, operation));
      await named("HEAD", await reach(api, operation, { method: "HEAD" }));
      await named("wrong method", await api.call(nameOf(operation), { method: wrongMethods(operation)[0] ?? "GET" }));
      await named("not acceptable", await reach(api, operation, { accept: NOTHING }));
      await named("invalid input", await badInput(api, operation, {}));
      if (!operation.auth) return;
      await named("without credentials", await reach(api, operation, { credentials: "none" }));
      const invalid = { key: { header: "not-a-key" }, platform: { header: api.platform } };
      await named("with an invalid key", await reach(api, operation, { credentials: invalid }));
    }),
  ),
  check("dispatch/x-operation#documents", {}, async (api) => {
    const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
    for (const name of [...items.map((item) => item.name), "no-such-document", "a"]) {
      for (const accept of ["application/json", "text/html", "image/png"]) {
        const reply = await api.call(`docs.get.${name}`, { accept });
        await inCase(`docs.get.${name} as ${accept}`, () => expectOperation(reply, "docs.get"));
      }
    }
  }),
  check("dispatch/x-operation#not-modified", {}, async (api) => {
    const etag = (await api.call("docs.get", { input: { name: "README" } })).header("etag");
    if (etag === undefined) fail("header:etag", "an ETag of docs.get.README", "none");
    const reply = await api.call("docs.get", { input: { name: "README" }, headers: { "If-None-Match": etag } });
    expectStatus(reply, 304);
    expectOperation(reply, "docs.get");
  }),
  checkAll("dispatch/x-operation#every-success", (exchange) => {
    const status = exchange.answer?.status ?? 0;
    if (status >= 200 && status < 300) expectNamed(exchange);
  }),
  checkAll("dispatch/x-operation#every-refusal", (exchange) => {
    const code = exchange.answer && exchange.answer.status >= 400 ? memberIn(exchange.answer.body, "code") : null;
    if (code !== null && OF_AN_OPERATION.has(code)) expectNamed(exchange);
  }),
];

function expectOperation(reply: Reply, id: string): void {
  const values = reply.headerValues("x-operation").join(", ");
  if (values !== id)
    fail("header:x-operation", `X-Operation: ${id}`, `${values || "none"} with status ${reply.status}`);
}

/** Problems that only a request with a known operation gets; 405 of the path and 503 come from further out. */
const known = order.findIndex(({ step }) => step === "findOperation");
const further: readonly string[] = order.slice(0, known + 1).flatMap(({ refuses }) => refuses);
const OF_AN_OPERATION = new Set<string>(
  order
    .slice(known + 1)
    .flatMap(({ refuses }) => refuses)
    .filter((code) => !further.includes(code) && problems[code].status < 500),
);

/** `X-Operation` names what the request named. */
function expectNamed(exchange: Exchange): void {
  const operation = operationOf(exchange);
  if (!operation) return;
  const fields = (exchange.answer?.headers ?? []).filter(([name]) => name.toLowerCase() === "x-operation");
  const named = fields.map(([, value]) => value).join(", ");
  if (named !== operation.id)
    fail(
      "header:x-operation",
      `X-Operation: ${operation.id}`,
      `${named || "none"} with status ${exchange.answer?.status}`,
    );
}
