import type { Agent } from "node:http";
import type { Api } from "../client/api.ts";
import { Expectation, Withheld } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import { send } from "../client/send.ts";
import { decoded } from "../client/wire/content-coding.ts";
import { linksOf } from "../models/links.ts";
import type { Request } from "../oracle/world.ts";
import { explain } from "./at-once.ts";
import { type Finding, judge, momentsOf, type Sent } from "./judge.ts";
import { Scene } from "./scene.ts";
import type { Sequence, Step } from "./step.ts";

/** The result of a step: the finding, and the request whose response it is about. */
export interface Taken {
  readonly step: Step;
  readonly sent: Sent;
  readonly finding: Finding | null;
}

/**
 * Sends the requests of a sequence, each compared with its prediction in the state after those before it; beyond the first finding.
 * Throws `Stopped` and `Withheld` as every request does.
 */
export async function* taking(api: Api, sequence: Sequence): AsyncGenerator<Taken> {
  for await (const some of takingAtOnce(api, sequence)) yield* some;
}

/** The same, those of parallel requests together. */
export async function* takingAtOnce(api: Api, sequence: Sequence): AsyncGenerator<readonly Taken[]> {
  const scene = new Scene(api);
  try {
    for (const one of sequence) {
      const taken = "operation" in one ? [await take(scene, one)] : await takeAtOnce(scene, one);
      yield taken.filter((some) => some !== null);
    }
  } finally {
    scene.close();
  }
}

const silent = (by: string, sent: Sent, error: Expectation): Finding => ({
  by,
  expectation: error.in(`${sent.request.method} ${sent.request.target.slice(0, 80)}`),
});

async function take(scene: Scene, step: Step): Promise<Taken | null> {
  const request = await scene.requestOf(step);
  if (!request) return null;
  const { sent, finding, reply } = await ask(scene.api, request, step.of, scene.agentOf(step));
  if (reply) note(scene, step, sent, reply);
  return { step, sent, finding };
}

/** Sends one request and compares the response with its prediction; `reply` is null if there is none. */
export async function ask(api: Api, request: Request, of?: string, agent?: Agent) {
  const { model } = api;
  const sent: Sent = { request, prediction: model.oracle.predict(request, model), moments: momentsOf(model), of };
  try {
    const reply = await answerTo(api, sent, agent);
    return { sent, reply, finding: judge(model, sent, reply) };
  } catch (error) {
    // Requests that this run may not send are skipped.
    if (error instanceof Withheld) return { sent, reply: null, finding: null };
    if (!(error instanceof Expectation)) throw error;
    return { sent, reply: null, finding: silent(sent.prediction.by, sent, error) };
  }
}

async function answerTo(api: Api, { request, prediction }: Sent, agent?: Agent): Promise<Reply> {
  const reply = await send(api, request, false, agent).catch((error: unknown) => {
    // A server may close a kept connection just when it is used again (RFC 9112, 9.3.1): then a new one is used.
    if (agent && error instanceof Expectation && error.aspect === "connection") return send(api, request);
    throw error;
  });
  if (!reply) throw new Expectation("connection", `a response: ${prediction.status}`, "none");
  const { exchange } = reply;
  return exchange.answer ? new Reply(exchange, decoded(exchange.answer)) : reply;
}

/** Several in parallel: their responses must fit some order. */
async function takeAtOnce(scene: Scene, steps: readonly Step[]): Promise<readonly (Taken | null)[]> {
  const { model } = scene;
  const before = {
    created: new Map(model.created),
    taken: new Map([...model.taken].map(([code, some]) => [code, new Set(some)])),
  };
  const moments = momentsOf(model);
  const all: { step: Step; sent: Sent }[] = [];
  for (const step of steps) {
    const request = await scene.requestOf(step);
    if (request)
      all.push({ step, sent: { request, prediction: model.oracle.predict(request, model), moments, of: step.of } });
  }
  const answered = await Promise.all(
    all.map(async ({ step, sent }) => {
      // Each has its own connection: a shared one would send them in sequence.
      const reply = await answerTo(scene.api, sent).catch((error: unknown) => error);
      return { step, sent, reply };
    }),
  );
  const replies = answered.flatMap(({ step, sent, reply }) =>
    reply instanceof Error ? [] : [{ step, sent, reply: reply as Reply }],
  );
  const failed = answered.flatMap(({ step, sent, reply }) => {
    if (!(reply instanceof Error)) return [];
    if (!(reply instanceof Expectation)) throw reply;
    return [{ step, sent, finding: silent(sent.prediction.by, sent, reply) }];
  });
  for (const { step, sent, reply } of replies) note(scene, step, sent, reply);
  const explained = explain(model, before, replies);
  return [...failed, ...explained.map(({ step, sent, finding }) => ({ step, sent, finding }))];
}

/** Records the cursors and tags of a response. */
function note(scene: Scene, step: Step, { request, prediction }: Sent, reply: Reply): void {
  if (reply.status !== 200 || !prediction.operation || prediction.code !== null) return;
  scene.tagged(step, reply.header("etag"));
  if (!scene.model.lists.has(step.operation) || request.method === "HEAD") return;
  const page = scene.model.pageOf(request, prediction.operation, bodyOf(reply));
  if (page?.nextCursor === undefined) return;
  const [link] = linksOf({ headers: reply.exchange.answer?.headers ?? [] });
  const target = link === undefined ? null : scene.api.below(link, reply.exchange.request.url);
  scene.cursors.push({ operation: step.operation, cursor: page.nextCursor, link: target, limit: page.limit });
}

function bodyOf(reply: Reply): unknown {
  try {
    return reply.json();
  } catch {
    return null;
  }
}
