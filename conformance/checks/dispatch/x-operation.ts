import { problems } from "../../../generated/operations.ts";
import { order } from "../../../generated/order.ts";
import { expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { every, operationOf } from "../../client/operation.ts";
import { memberIn, type Reply } from "../../client/reply.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import { check, checkAll } from "../check.ts";
import { faultsOf, sendFaulty } from "../faults.ts";
import { expectNoOperation, inCase, reach, toJudge } from "../probe.ts";

/** `X-Operation`: the answer to a known operation names it (D12). */

function expectNamed({ answer }: Exchange, id: string): void {
  const fields = (answer?.headers ?? []).filter(([name]) => name.toLowerCase() === "x-operation");
  const named = fields.map(([, value]) => value).join(", ");
  if (named !== id)
    fail("header:x-operation", `X-Operation: ${id}`, `${named || "none"} with status ${answer?.status ?? "none"}`);
}

const expectOperation = ({ exchange }: Reply, id: string) => expectNamed(exchange, id);

/** From here on the operation is known. */
const later = order.slice(order.findIndex(({ step }) => step === "judgeMethod"));

/** Problems that only a request with a known operation gets; 405 of the path and 503 come from further out. */
const OF_AN_OPERATION: readonly string[] = later
  .slice(1)
  .flatMap(({ refuses }) => refuses)
  .filter((code) => problems[code].status < 500);

/** The operation that the request says is the one that the answer names. */
function judge(exchange: Exchange): void {
  const operation = operationOf(exchange);
  if (operation) expectNamed(exchange, operation.id);
}

export const operationHeader = [
  ...every.map((operation) =>
    check(`dispatch/x-operation#${operation.id}`, {}, async (api) => {
      for (const method of ["GET", "HEAD", "POST"])
        expectOperation(await reach(api, operation, { method }), operation.id);
      const faults = faultsOf(
        operation,
        later.map(({ step }) => step),
      );
      for (const one of faults)
        await inCase(one.code, async () => expectOperation(await sendFaulty(api, one), operation.id));
    }),
  ),
  check("dispatch/x-operation#documents", {}, async (api) => {
    const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
    for (const name of [...items.map((item) => item.name), `no-${api.runId}`, "a"])
      for (const accept of ["application/json", "text/html", "image/png"]) {
        const reply = await api.call(`docs.get.${name}`, { accept });
        await inCase(`docs.get.${name} as ${accept}`, () => expectOperation(reply, "docs.get"));
      }
  }),
  check("dispatch/x-operation#same-connection", {}, async (api) => {
    const names = ["sysinfo", `no.${api.runId}`, "docs.list"];
    const requests = names.map((name) => api.rawRequest({ target: api.path(`/api/?@=${name}`), connection: null }));
    const { replies } = await api.raw(requests, { answers: names.length, inTurn: true });
    const [first, unknown, last] = toJudge(replies, "answer on a connection");
    if (first) expectOperation(first, "sysinfo");
    // A target may close a connection after any answer.
    if (unknown) expectNoOperation(unknown);
    if (last) expectOperation(last, "docs.list");
  }),
  check("dispatch/x-operation#not-modified", {}, async (api) => {
    const etag = (await api.call("docs.get.README")).header("etag");
    if (etag === undefined) fail("header:etag", "an ETag of docs.get.README", "none");
    const reply = await api.call("docs.get.README", { headers: { "If-None-Match": etag } });
    expectStatus(reply, 304);
    expectOperation(reply, "docs.get");
  }),
  checkAll("dispatch/x-operation#every-success", (exchange) => {
    const status = exchange.answer?.status ?? 0;
    if (status >= 200 && status < 300) judge(exchange);
  }),
  checkAll("dispatch/x-operation#every-refusal", (exchange) => {
    const code = exchange.answer && exchange.answer.status >= 400 ? memberIn(exchange.answer.body, "code") : null;
    if (code !== null && OF_AN_OPERATION.includes(code)) judge(exchange);
  }),
];
