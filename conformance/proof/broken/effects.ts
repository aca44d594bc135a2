import type { Operation } from "../../oracle/contract.ts";
import { type WildMutant, wild } from "../mutant.ts";
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

const carriesOut = (
  command: Operation,
  what: string,
  of: string,
  takes: (answer: ProxyAnswer, request: ProxyRequest) => boolean,
) =>
  wild(`${what} and carries out ${command.id}`, [of, `${command.id}/refused-not-stored`], ["state"], {
    answer: async (answer, request, context) => {
      if (takes(answer, request) && addressIn(request) !== undefined)
        await context.forward(carriedOut(command, request, context));
      return answer;
    },
  });

/** Codes of requests that hold a valid command, and requirements whose checks send them. */
const codesOf = ({ id }: Operation): Readonly<Record<string, string>> => ({
  "operation-missing": "input/last-duplicate",
  "operation-ambiguous": "dispatch/ambiguous",
  "unsupported-media-type": "http/media-type",
  "malformed-json": "http/malformed-json",
  "credential-conflict": `${id}/credentials`,
  "credentials-missing": `${id}/credentials`,
  "credentials-invalid": `${id}/credentials`,
  "scope-missing": "credentials/scope",
  "platform-not-allowed": `${id}/credentials`,
  "not-acceptable": "answers/not-acceptable",
  "invalid-input": "input/*",
});

export const mutants: readonly WildMutant[] = creating.flatMap((command) => [
  ...Object.entries(codesOf(command)).map(([code, of]) =>
    carriesOut(command, `says ${code}`, of, (one) => problemCode(one) === code),
  ),
  ...["PUT", "PATCH", "DELETE"].map((method) =>
    carriesOut(command, `rejects ${method}`, "dispatch/unknown-method", (_, request) => request.method === method),
  ),
  ...["GET", "HEAD"].map((method) =>
    carriesOut(command, `rejects ${method}`, "dispatch/get-changes-nothing", (_, request) => request.method === method),
  ),
]);
