// One run of the whole suite against the service, recorded: each response is the predicted one; perturbed, it is rejected for what
// it breaks, and attributed to the few requirements about that.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Expectation } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import { pool } from "../engine/judge-all.ts";
import { compare } from "../lists/compare.ts";
import { ours } from "../lists/ours.ts";
import { judgeAt, type RunningService } from "../test/service.test-kit.ts";
import { ALLOWED, UNSEEN, withoutReason } from "./equivalent.ts";
import { Judge } from "./judged.ts";
import { seededService } from "./laboratory.ts";
import { type Perturbation, perturbationsOf, perturbing } from "./perturbations.ts";
import { leftByChecks, type Trial, tryByLaws } from "./perturbed.ts";
import type { ProxyAnswer } from "./proxy/message.ts";
import { startProxy } from "./proxy/server.ts";
import { withBody, withHeader, withJson } from "./proxy/shape.ts";
import { Recording, recordable, type Sight } from "./recording.ts";
import { overAll, type Sender } from "./trial.ts";

/** Checks, or variants of them, with exchanges that cannot be predicted, each with the reason. */
const UNPREDICTED: Readonly<Record<string, string>> = {
  "user.create/one-of-many": "Creates are sent at once: which of them comes first, the service decides.",
  histories: "Creates are sent at once: which of them comes first, the service decides.",
  "user.create/key-twins": "Creates are sent at once: which of them comes first, the service decides.",
};

/** How a response differs from its prediction; null if it does not. */
function difference({ exchange, predicted }: Sight): string | null {
  try {
    if (predicted) compare(new Reply(exchange, exchange.answer), predicted.prediction, ours.contract);
    return null;
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    return `${predicted?.request.method} ${predicted?.request.target.slice(0, 80)}: ${error.message}`;
  }
}

/** Maximum requirements that a fault may be attributed to, by the kind of response and the fault. */
const MOST = [
  ["user.create 201 application/json", "answers 200", 5],
  ["user.create 201 application/json", "adds a member to the body", 2],
  ["user.create 201 application/json", "drops /createdAt", 3],
  ["user.create 201 application/json", "retypes /id", 4],
  ["user.create 201 application/json", "names a vendor in Content-Type", 4],
  ["user.list 200 application/json", "drops /items", 6],
  ["user.list 200 application/json", "retypes /items/*/createdAt", 6],
  ["user.create 422 invalid-input", "drops /code", 4],
] as const;

/** Laws for features that the service of this test does not have, and where they are tested. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "limits/headers": "it has no limits: wild/limits.ts has deployments that do",
  "user.list/next#every-page": "a page depends on those before it: sequences/broken",
  "user.list/walk#every-page": "the same",
  "user.create/listed#every-page": "the same",
};

const edited = (answer: ProxyAnswer, edit: (text: string) => string): ProxyAnswer => {
  const isCoded = answer.headers.some(([name]) => name.toLowerCase() === "content-encoding");
  return isCoded ? answer : withBody(answer, edit(answer.body.toString()));
};
const isHtml = ({ headers }: ProxyAnswer) => headers.some(([, value]) => value.startsWith("text/html"));
const withoutField =
  (wanted: string) =>
  (answer: ProxyAnswer): ProxyAnswer => ({
    ...answer,
    headers: answer.headers.filter(([name]) => name.toLowerCase() !== wanted),
  });
const withoutWord = (word: string) => (answer: ProxyAnswer) => edited(answer, (text) => text.replaceAll(word, "…"));

/** Laws that compare several responses, or read one document: all responses of a run, each changed in this way. */
const OF_A_RUN: Readonly<Record<string, (answer: ProxyAnswer, sight: Sight) => ProxyAnswer>> = {
  "docs.get/formats#rendered": (answer) =>
    isHtml(answer) ? withBody(answer, "<!doctype html><title>A document</title><h1>Another one</h1>") : answer,
  "docs.get/reference": withoutWord("docs.list"),
  "docs.get/problems": withoutWord("parameter-repeated"),
  "docs.get/contract": withoutWord("http/parallel"),
  "sysinfo/nothing-more#every-response": (answer) =>
    withJson(answer, (json) => ("runtime" in json ? { ...json, runtime: `${json.runtime} on linux` } : json)),
  "sysinfo/forwarded-for#every-response": (answer, { request }) => {
    const [, claimed] = request?.headers.find(([name]) => name.toLowerCase() === "x-forwarded-for") ?? [];
    return claimed === undefined
      ? answer
      : withJson(answer, (json) => ("clientAddress" in json ? { ...json, clientAddress: claimed } : json));
  },
  "landing/as-sysinfo#every-page": (answer) =>
    isHtml(answer) ? edited(answer, (text) => text.replaceAll("Node.js", "Perl")) : answer,
  "errors/type#entry": (answer) => edited(answer, (text) => text.replace("docs.get.problems", "docs.get.README")),
  "docs.get/compresses": withoutField("content-encoding"),
  "dispatch/no-echo#every-response": (answer, { exchange }) => withHeader(answer, "X-Echo", exchange.request.url),
  "cors/preflight": withoutField("access-control-max-age"),
  "user.list/limit-default#every-page": (answer) =>
    withJson(answer, (json) =>
      Array.isArray(json.items) && "nextCursor" in json ? { ...json, items: json.items.slice(0, -1) } : json,
    ),
  "user.create/created-at#every-response": (answer) =>
    withJson(answer, (json) => ("createdAt" in json ? { ...json, createdAt: "2001-01-01T00:00:00.000Z" } : json)),
  "user.create/id#every-response": (answer) =>
    withJson(answer, (json) => ("id" in json ? { ...json, id: String(json.id).replace("-7", "-4") } : json)),
  "contract/no-placeholders": (answer) => edited(answer, (text) => text.replace("127.0.0.1", "one.invalid")),
};

let service: RunningService;
let recording: Recording;
/** One in so many is tried here; `npm run mutants -- perturbations` tries all. */
const SAMPLED = 5;
let all: readonly Perturbation[];
let tried: Trial;
/** By the laws that have rejected none of the sample. */
let others: Trial;
const red = ({ caught }: Trial) => new Set([...caught.values()].flat());
beforeAll(async () => {
  service = await seededService();
  recording = new Recording(service);
  await recording.add(recordable);
  all = perturbationsOf(ours.contract, recording);
  const isSampled = (_: unknown, at: number) => at % SAMPLED === 0;
  tried = tryByLaws(all.filter(isSampled), new Judge(recording));
  others = tryByLaws(
    all.filter((_, at) => !isSampled(_, at)),
    new Judge(
      recording,
      overAll.filter((law) => !(law.id in OF_A_RUN || law.id in ELSEWHERE) && !red(tried).has(law.id)),
    ),
  );
});
afterAll(() => service.stop());

it("the response to a readable request is predicted, but for what is named", () => {
  const sights = [...recording.kinds.values()].flat();
  const readable = sights.filter(({ predicted }) => predicted);
  const wrong = readable.flatMap((sight) => {
    const found = difference(sight);
    return found === null ? [] : [[sight.check.id, found] as const];
  });
  expect(wrong.filter(([id]) => !(id in UNPREDICTED || (id.split("#")[1] ?? "") in UNPREDICTED))).toEqual([]);
  expect(wrong.length / readable.length).toBeLessThan(0.01);
  expect(readable.length / sights.length).toBeGreaterThan(0.9);
});

describe("a perturbed response", () => {
  it("is none before it is perturbed", () => {
    const judge = new Judge(recording);
    const red = all.flatMap(({ kind, trials, before }) =>
      trials.slice(0, 1).flatMap(([sight]) => {
        const found = seen.has(sight) ? [] : [...judge.findings(sight, sight.exchange.answer, before)];
        seen.add(sight);
        return found.map(({ by, aspect }) => `${kind}: ${by} ${aspect}`);
      }),
    );
    expect(red).toEqual([]);
  });

  it("is rejected by each law", () => {
    const all = new Set([...red(tried), ...red(others)]);
    expect([...Object.keys(OF_A_RUN), ...Object.keys(ELSEWHERE)].filter((id) => all.has(id))).toEqual([]);
    const left = overAll.map(({ id }) => id).filter((id) => !all.has(id) && !(id in OF_A_RUN));
    expect(left).toEqual(Object.keys(ELSEWHERE));
  });

  it.each(Object.keys(OF_A_RUN))("is rejected by %s, which sees a whole run", (id) => {
    const judge = new Judge(
      recording,
      overAll.filter((law) => law.id === id),
    );
    const sights = [...recording.kinds.values()].flat();
    const change = OF_A_RUN[id] ?? expect.fail(id);
    const judged = (answerOf: (sight: Sight) => ProxyAnswer) =>
      judge.run(sights.map((sight) => [sight, answerOf(sight)]));
    expect(judged(({ exchange }) => exchange.answer)).toEqual([]);
    expect(judged((sight) => change(sight.exchange.answer, sight)).map(({ law }) => law)).toContain(id);
  });

  it("is rejected, or a server may respond so: one of each way; the command tries all", async () => {
    expect(all.length).toBeGreaterThan(10_000);
    const names = new Set(
      withoutReason(
        tried.left.map(({ id }) => id),
        [...ALLOWED, ...UNSEEN],
      ),
    );
    const ways = new Map(tried.left.filter(({ id }) => names.has(id)).map((one) => [one.operator.name, one]));
    expect((await leftByChecks([...ways.values()], recording)).map(({ id }) => id)).toEqual([]);
  });
});

const seen = new Set<unknown>();

/** Checks that concern these, and do not need the target exclusively. */
const isNear = ({ requirement, alone }: Sender) => !alone && /^(user\.|docs\.list|answers|errors)/.test(requirement);

it("a fault is attributed to the few requirements that cover it: others that fail because of it are left open", async () => {
  const tooMany: unknown[] = [];
  await pool([...MOST], 2, async ([kind, how, most]) => {
    const { hooks, id } = perturbing(ours.contract, `${kind} ${how}`);
    const proxy = await startProxy(hooks, service.url, 0, { credentials: service.credentials.full });
    const { results } = await judgeAt(proxy.url, service.credentials, [
      ...recording.seenBy(kind).filter(isNear),
      ...overAll,
    ]);
    await proxy.close();
    const failed = results.filter(({ outcome }) => outcome === "failed");
    const blamed = [...new Set(failed.map(({ requirement }) => requirement.id))].sort();
    if (blamed.length === 0 || blamed.length > most) tooMany.push([id, blamed]);
  });
  expect(tooMany).toEqual([]);
});
