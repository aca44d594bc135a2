import type { Operation } from "../../oracle/contract.ts";
import { broken, type Mutant } from "../mutant.ts";
import { header, problemCode, queryOf } from "../proxy/look.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { letIn } from "../proxy/shape.ts";
import { creating } from "../requests.ts";

/** Requests that are rejected, or only read, but carried out all the same: each response is right, the state is not. */

/** An address in a request, by which the suite recognizes its users. */
const addressIn = (request: ProxyRequest) =>
  /[\w.+-]+@[\w.]+\w/.exec(`${request.body} ${[...queryOf(request).values()].join(" ")}`)?.[0];

/** The command, with the address that was sent and otherwise its example. */
function carriedOut(command: Operation, request: ProxyRequest, context: Context): ProxyRequest {
  const data = { ...command.example, email: addressIn(request) };
  const headers = [
    ["Host", header(request, "Host") ?? ""],
    ["Content-Type", "application/json"],
  ] as const;
  const body = Buffer.from(JSON.stringify({ "@": command.name, data }));
  return letIn({ ...request, method: "POST", target: "/api/", headers, body }, context);
}

const carriesOut = (command: Operation, what: string, takes: (answer: ProxyAnswer, request: ProxyRequest) => boolean) =>
  broken(`${what} and carries out ${command.id}`, {
    answer: async (answer, request, context) => {
      if (takes(answer, request) && addressIn(request) !== undefined)
        await context.forward(carriedOut(command, request, context));
      return answer;
    },
  });

/** Codes of requests that hold a valid command. */
const CODES = [
  ...["operation-missing", "operation-ambiguous", "unsupported-media-type", "malformed-json", "credential-conflict"],
  ...["credentials-missing", "credentials-invalid", "scope-missing", "platform-not-allowed", "not-acceptable"],
  "invalid-input",
];

export const mutants: readonly Mutant[] = creating.flatMap((command) => [
  ...CODES.map((code) => carriesOut(command, `says ${code}`, (one) => problemCode(one) === code)),
  ...["PUT", "PATCH", "DELETE"].map((method) =>
    carriesOut(command, `rejects ${method}`, (_, request) => request.method === method),
  ),
  ...["GET", "HEAD"].map((method) =>
    carriesOut(command, `rejects ${method}`, (_, request) => request.method === method),
  ),
]);
