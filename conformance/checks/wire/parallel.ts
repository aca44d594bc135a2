import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { type Known, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { knownNames } from "../docs/document.ts";
import { emptyCreate } from "./support.ts";

/** A request of which the answer tells what was asked. */
interface Question {
  readonly ask: (headers: Readonly<Record<string, string>>) => Promise<Reply>;
  readonly expect: (reply: Reply) => void;
}

const asOperation = (reply: Reply, { id }: Known) => {
  if (reply.header("x-operation") !== id)
    fail("header:x-operation", `X-Operation: ${id}`, reply.header("x-operation") ?? "none");
  expectSuccess(reply, id);
};

function questions(api: Api): readonly Question[] {
  return [
    ...queries.map((operation) => ({
      ask: (headers: Readonly<Record<string, string>>) =>
        api.call(operation.id, { input: api.example(operation.id), headers }),
      expect: (reply: Reply) => asOperation(reply, operation),
    })),
    {
      ask: (headers) => api.call("no.such.operation", { headers }),
      expect: (reply) => void expectProblem(reply, 404, "operation-not-found"),
    },
    {
      ask: (headers) => api.call("user.create", { body: emptyCreate, headers }),
      expect: (reply) => void expectProblem(reply, 422, "invalid-input", "user.create"),
    },
    {
      ask: (headers) => api.call("user.create", { body: '{"@":"no.such.operation"}', headers }),
      expect: (reply) => void expectProblem(reply, 404, "operation-not-found"),
    },
    {
      ask: (headers) => api.call("docs.get", { input: { name: "problems" }, headers }),
      expect: (reply) => {
        const { name } = expectSuccess(reply, "docs.get");
        if (name !== "problems") fail("body", "the document problems", name);
      },
    },
    {
      ask: (headers) => api.request({ method: "GET", target: "/no-such-path", headers: Object.entries(headers) }),
      expect: (reply) => void expectProblem(reply, 404, "path-not-found"),
    },
  ];
}

/** Every question several times at once, each with an id of its own. */
async function askAll(asked: readonly Question[], times: number): Promise<void> {
  const all = Array.from({ length: times }, () => asked).flat();
  const replies = await Promise.all(all.map(({ ask }, index) => ask({ "X-Request-Id": `parallel-${index}` })));
  for (const [index, reply] of replies.entries()) {
    const id = reply.header("x-request-id");
    if (id !== `parallel-${index}`)
      fail("header:x-request-id", `the X-Request-Id parallel-${index}`, `${id ?? "none"} with ${describe(reply)}`);
    all[index]?.expect(reply);
  }
}

/** Requests at the same time (D13). */
export const parallel: readonly Check[] = [
  check("http/parallel#answers", { alone: true }, (api) => askAll(questions(api), 4)),
  check("http/parallel#one-operation", { alone: true }, async (api) => {
    const ask: Question = {
      ask: (headers) => api.call("sysinfo", { headers }),
      expect: (reply) => asOperation(reply, operations.sysinfo),
    };
    await askAll([ask], 20);
  }),
  check("http/parallel#inputs", { alone: true }, async (api) => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.call("docs.get", { input: { name: knownNames[index % knownNames.length] } }),
      ),
    );
    for (const [index, reply] of replies.entries()) {
      const { name } = expectSuccess(reply, "docs.get");
      if (name !== knownNames[index % knownNames.length])
        fail("body", `the document ${knownNames[index % knownNames.length]}`, name);
    }
  }),
  check("http/parallel#formats", { alone: true }, async (api) => {
    const formats: readonly string[] = operations["docs.get"].answers[0].mediaTypes;
    const asked = Array.from({ length: 20 }, (_, index) => formats[index % formats.length] ?? "");
    const replies = await Promise.all(
      asked.map((accept) => api.call("docs.get", { input: { name: "README" }, accept })),
    );
    for (const [index, reply] of replies.entries())
      if (reply.status !== 200 || reply.mediaType !== asked[index])
        fail("body", `${asked[index]} beside requests for other formats`, describe(reply));
  }),
  check("http/parallel#credentials", { alone: true }, async (api) => {
    const good = { key: { header: api.key }, platform: { header: api.platform } };
    const cases = [
      { credentials: good, status: 200 },
      { credentials: { ...good, key: { header: "not-a-key" } }, status: 401 },
      { credentials: { key: { query: api.key }, platform: { query: api.platform } }, status: 200 },
      { credentials: "none" as const, status: 401 },
      { credentials: { ...good, platform: { header: "not-a-platform" } }, status: 403 },
      { credentials: { key: good.key }, status: 401 },
    ];
    const all = Array.from({ length: 5 }, () => cases).flat();
    const replies = await Promise.all(
      all.map(({ credentials }, index) => api.call(index % 2 === 0 ? "user.list" : "test.health", { credentials })),
    );
    // Two operations over six kinds of credentials: with an odd step, each kind meets both of them.
    for (const [index, reply] of replies.entries())
      if (reply.status !== all[index]?.status)
        fail("status", `${all[index]?.status} beside requests with other credentials`, describe(reply));
  }),
  check("http/parallel#methods", { alone: true }, async (api) => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => api.call("sysinfo", { method: index % 2 === 0 ? "GET" : "HEAD" })),
    );
    for (const [index, reply] of replies.entries()) {
      if (index % 2 === 0) expectSuccess(reply, "sysinfo");
      else if (reply.status !== 200) fail("status", "200 to HEAD", describe(reply));
    }
  }),
];
