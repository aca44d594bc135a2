import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectProblem } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";

/** What is judged only when the request was read, each of it wrong in one way. */
const behind = (api: Api): readonly (readonly [what: string, operation: string, options: CallOptions])[] => {
  const platform = { header: api.platform };
  return [
    ["nothing else", "user.create", {}],
    ["no credentials", "user.create", { credentials: "none" }],
    ["an unknown key", "user.create", { credentials: { key: { header: "not-a-key" }, platform } }],
    ["two keys", "user.create", { credentials: { key: { header: api.key, query: "another" }, platform } }],
    ["an unknown platform", "user.create", { credentials: { key: { header: api.key }, platform: { header: "no" } } }],
    ["an unknown operation", "no.such.operation", {}],
    ["an operation of GET", "user.list", {}],
    ["no operation", "", {}],
    ["the operation in the query too", "user.create", { query: [["@", "user.create"]] }],
    ["an Accept of nothing", "user.create", { accept: "image/png" }],
    ["an unknown parameter", "user.create", { query: [["unknown", "1"]] }],
  ];
};

const bodyOf = (operation: string, members: string) => `{"@":"${operation}","data":{}${members}}`;

function first(
  requirement: RequirementId,
  status: 400 | 415,
  fault: (operation: string) => { readonly body: string | Buffer; readonly headers?: CallOptions["headers"] },
): Check {
  return check(`${requirement}#whatever-else-is-wrong`, {}, async (api) => {
    const code = status === 415 ? "unsupported-media-type" : "malformed-json";
    for (const [what, operation, options] of behind(api))
      await inCase(`beside ${what}`, async () => {
        const { headers = {}, body } = fault(operation);
        expectProblem(await api.call("user.create", { ...options, headers, body }), status, code);
      });
  });
}

/** The body is read before anything else of the request is judged (order of judgement). */
export const precedence: readonly Check[] = [
  first("http/media-type", 415, (operation) => ({
    body: bodyOf(operation, ""),
    headers: { "Content-Type": "text/plain" },
  })),
  first("http/content-encoding", 415, (operation) => ({
    body: bodyOf(operation, ""),
    headers: { "Content-Encoding": "gzip" },
  })),
  first("http/malformed-json", 400, (operation) => ({ body: bodyOf(operation, ",") })),
  first("http/not-utf8", 400, (operation) => ({ body: Buffer.from(bodyOf(operation, ',"a":"\u00ff"'), "latin1") })),
  first("http/proto-member", 400, (operation) => ({ body: bodyOf(operation, ',"__proto__":{}') })),
  first("http/nesting", 400, (operation) => ({
    body: bodyOf(operation, `,"a":${"[".repeat(16)}${"]".repeat(16)}`),
  })),
];
