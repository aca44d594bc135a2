import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import { knownParts, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { inCase, toJudge } from "../probe.ts";
import { emptyCreate, expectOutcome, type Outcome } from "./support.ts";

/** A call, what comes of it, and what else tells that the answer is its own. */
type Question = readonly [name: string, options: CallOptions, outcome: Outcome, tells?: (reply: Reply) => void];

const names = knownParts(operations["docs.get"]);

/** Every question several times at once, each with an id of its own. */
async function askAll(api: Api, asked: readonly Question[], times: number): Promise<void> {
  const all = Array.from({ length: times }, () => asked).flat();
  const answers = await Promise.all(
    all.map(async ([name, options, outcome, tells], index) => {
      const sent = `${api.runId}-${index}`;
      return {
        name,
        outcome,
        tells,
        sent,
        reply: await api.call(name, { ...options, headers: { "X-Request-Id": sent } }),
      };
    }),
  );
  for (const { name, outcome, tells, sent, reply } of answers)
    await inCase(`${name}, beside ${all.length - 1} others`, () => {
      const id = reply.header("x-request-id");
      if (id !== sent) fail("header:x-request-id", `the X-Request-Id ${sent}`, id ?? "none");
      expectOutcome(reply, outcome);
      tells?.(reply);
    });
}

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

const documents = names.map((name): Question => ["docs.get", { input: { name } }, "docs.get", expectName(name)]);

/** Requests of different kinds. */
const QUESTIONS: Readonly<Record<string, (api: Api) => readonly Question[]>> = {
  answers: (api) => [
    ...queries.map(({ id }): Question => [id, { input: api.example(id) }, id, expectOperation(id)]),
    ...documents.slice(-1),
    [`no.${api.runId}`, {}, "operation-not-found"],
    ["user.create", { body: emptyCreate }, "invalid-input"],
    ["user.create", { body: { "@": `no.${api.runId}` } }, "operation-not-found"],
    ["user.create", { body: "{" }, "malformed-json"],
  ],
  "one-operation": () => [["sysinfo", {}, "sysinfo", expectOperation("sysinfo")]],
  inputs: () => documents,
  formats: () =>
    operations["docs.get"].answers[0].mediaTypes.map((accept) => [
      `docs.get.${names[0]}`,
      { accept },
      200,
      expectType(accept),
    ]),
  credentials: (api) => {
    const good = { key: { header: api.key }, platform: { header: api.platform } };
    return queries
      .filter(({ auth }) => auth)
      .flatMap(({ id }): Question[] => [
        [id, { credentials: good }, id],
        [id, { credentials: { ...good, key: { header: `no-key-${api.runId}` } } }, 401],
        [id, { credentials: "query" }, id],
        [id, { credentials: "none" }, 401],
        [id, { credentials: { ...good, platform: { header: api.runId } } }, 403],
        [id, { credentials: { key: good.key } }, 401],
      ]);
  },
  methods: () => [
    ["sysinfo", { method: "GET" }, "sysinfo"],
    ["sysinfo", { method: "HEAD" }, 200],
  ],
};

/** Requests at the same time (D13). */
export const parallel: readonly Check[] = Object.entries(QUESTIONS).map(([name, questions]) =>
  check(`http/parallel#${name}`, { alone: true }, (api) => {
    const asked = toJudge(questions(api), "question");
    return askAll(api, asked, Math.ceil(20 / asked.length) + 1);
  }),
);
