import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import { knownParts, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { echoedId, emptyCreate, expectOutcome, type Outcome } from "./support.ts";

/** A call, its outcome, and a further check that the response belongs to it. */
type Question = readonly [name: string, options: CallOptions, outcome: Outcome, tells?: (reply: Reply) => void];

const names = knownParts(operations["docs.get"]);

const expectOperation = (id: string) => (reply: Reply) => {
  const sent = reply.header("x-operation");
  if (sent !== id) fail("header:x-operation", `X-Operation: ${id}`, sent ?? "none");
};

const expectName = (wanted: string) => (reply: Reply) => {
  const { name } = expectSuccess(reply, "docs.get");
  if (name !== wanted) fail("body:/name", `the document ${wanted}`, name);
};

const expectType = (wanted: string) => (reply: Reply) => {
  if (reply.mediaType !== wanted) fail("header:content-type", wanted, reply.mediaType);
};

function questions(api: Api): readonly Question[] {
  const good = { key: { header: api.key }, platform: { header: api.platform } };
  return [
    ...queries.map(({ id }): Question => [id, { input: api.example(id) }, id, expectOperation(id)]),
    ...names.map((name): Question => ["docs.get", { input: { name } }, "docs.get", expectName(name)]),
    ...operations["docs.get"].answers[0].mediaTypes.map(
      (accept): Question => ["docs.get", { accept }, 200, expectType(accept)],
    ),
    ...queries
      .filter(({ auth }) => auth)
      .flatMap(({ id }): Question[] => [
        [id, { credentials: good }, id],
        [id, { credentials: { ...good, key: { header: `no-key-${api.runId}` } } }, 401],
        [id, { credentials: "query" }, id],
        [id, { credentials: "none" }, 401],
        [id, { credentials: { ...good, platform: { header: api.runId } } }, 403],
        [id, { credentials: { key: good.key } }, 401],
      ]),
    ["sysinfo", {}, "sysinfo", expectOperation("sysinfo")],
    ["sysinfo", { method: "HEAD" }, 200],
    [`no.${api.runId}`, {}, "operation-not-found"],
    ["user.create", { body: emptyCreate }, "invalid-input"],
    ["user.create", { body: { "@": `no.${api.runId}` } }, "operation-not-found"],
    ["user.create", { body: "{" }, "malformed-json"],
  ];
}

/** Sends every call twice, all in parallel, each with its own request id (D13). */
export const parallel = check("http/parallel", { alone: true }, async (api) => {
  const all = Array.from({ length: 2 }, () => questions(api)).flat();
  const answers = await Promise.all(
    all.map(async ([name, options, outcome, tells], index) => {
      const sent = `${api.runId}-${index}`;
      const reply = await api.call(name, { ...options, headers: { "X-Request-Id": sent } });
      return { name, outcome, tells, sent, reply };
    }),
  );
  for (const { name, outcome, tells, sent, reply } of answers)
    await inCase(`${name}, beside ${all.length - 1} others`, () => {
      const id = echoedId(reply, sent);
      if (id !== sent) fail("header:x-request-id", `the X-Request-Id ${sent}`, id);
      expectOutcome(reply, outcome);
      tells?.(reply);
    });
});
