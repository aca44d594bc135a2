import { type Check, check, type TargetCheck } from "../checks/check.ts";
import { expectListed, expectUnchanged, type State, stateOf } from "../checks/state.ts";
import type { Api } from "../client/api.ts";
import { buildCall, type CallOptions } from "../client/call.ts";
import { Expectation, Stopped, Withheld } from "../client/expectation.ts";
import { harmOfCodes } from "../client/harm.ts";
import { findOperation } from "../client/operation.ts";
import type { Reply } from "../client/reply.ts";
import { send } from "../client/send.ts";
import { FILES, type Model } from "../models/model.ts";
import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { mayEndAtParser, type Oracle, type Prediction } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import { compare } from "./compare.ts";

/** Lists of requests without expected responses: the oracle predicts each response. */

/** A request, and the requirement that it tests. */
export type Case = readonly [of: string, request: Request];

/** The parts of a run that a list may use. */
export interface Asking {
  readonly api: Api;
  readonly oracle: Oracle;
  readonly model: Model;
  /** The operations of the contract, except those whose input needs a value that this target does not have. */
  readonly operations: readonly Operation[];
  /** A text with the values that this target does not have. */
  readonly lacks: readonly string[];
  /** A valid input of an operation: its example, with values that exist on this target. */
  readonly input: (operation: Operation) => Readonly<Record<string, unknown>>;
  /** A call of the operation with its example; a command that would be carried out is sent without its `data`. */
  readonly call: (operation: Operation, options?: CallOptions) => Request;
}
/** A generator for only one requirement receives each reply, for its next request. */
export type List = (asking: Asking) => Iterable<Case, void, Reply | undefined>;

const CREDENTIALS = /^X-(?:API-KEY|PLATFORM)$/;

/** The same request with its credentials in the query: a server may handle it differently. */
export function withCredentialsInQuery(request: Request): Request {
  const credentials = request.fields.filter(([name]) => CREDENTIALS.test(name));
  const more = credentials.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
  const target = request.target.includes("?") ? request.target + more : `${request.target}?${more.slice(1)}`;
  return { ...request, target, fields: request.fields.filter((field) => !credentials.includes(field)) };
}

/** Queries by HEAD too, and requests with credentials also with those in the query. */
export function* varied(cases: Iterable<Case>): Generator<Case> {
  for (const [of, request] of cases) {
    yield [of, request];
    if (request.method === "GET" && request.body === "") yield [of, { ...request, method: "HEAD" }];
    if (request.fields.some(([name]) => CREDENTIALS.test(name))) yield [of, withCredentialsInQuery(request)];
  }
}

/** Alternates the credentials between headers and query. */
export function* inTurn(cases: Iterable<Case>): Generator<Case> {
  let at = 0;
  for (const [of, request] of cases) yield [of, at++ % 3 === 0 ? withCredentialsInQuery(request) : request];
}

/** A list ends after this many findings: further ones have the same cause, or cost a time-out each. */
const MOST_FINDINGS = 20;
const MOST_SILENCES = 2;

/** The request of a call; its target is without the path prefix of the deployment. */
function callOf(api: Api, operation: Operation, options: CallOptions): Request {
  const { method, path, headers, body } = buildCall(operation.id, options, api.credentials, "");
  return { method, target: path, fields: [["Host", api.host], ...headers], body: body?.toString("latin1") ?? "" };
}

/** The example of an operation, with values that exist on this target. */
function exampleOf(api: Api, { id, example }: Operation): Readonly<Record<string, unknown>> {
  const known = findOperation(id);
  return known ? api.example(known.id) : example;
}

/** Why an operation cannot be called on this target; null if it can. */
function lackOf(input: Asking["input"], operation: Operation): string | null {
  try {
    input(operation);
    return null;
  } catch (error) {
    if (error instanceof Stopped) return error.message;
    throw error;
  }
}

export function askingOf(api: Api): Asking {
  const { model } = api;
  const { oracle } = model;
  const input: Asking["input"] = (operation) => {
    const known = model.examples.get(operation.id) ?? exampleOf(api, operation);
    model.examples.set(operation.id, known);
    return known;
  };
  const call: Asking["call"] = (operation, options = {}) => {
    const request = callOf(api, operation, { ...options, input: options.input ?? input(operation) });
    const creates = operation.method === "POST" && oracle.predict(request, model).status < 300;
    // Even if a server wrongly accepts it, it has nothing to carry out.
    return creates && !options.input ? callOf(api, operation, { ...options, body: { "@": operation.id } }) : request;
  };
  return {
    ...{ api, model, oracle, call, input },
    // Only a list that iterates over the operations looks up values of their inputs on the target.
    get operations() {
      return Object.values(oracle.contract.operations).filter((operation) => lackOf(input, operation) === null);
    },
    get lacks() {
      return Object.values(oracle.contract.operations).flatMap((operation) => lackOf(input, operation) ?? []);
    },
  };
}

interface Finding {
  readonly by: string;
  readonly expectation: Expectation;
}

export interface Judged {
  readonly reply?: Reply | undefined;
  readonly finding: Finding | null;
}

/** Sends a request and compares the response with the prediction. Throws `Withheld` and `Stopped`. */
export async function judged({ api, oracle }: Asking, request: Request, prediction: Prediction): Promise<Judged> {
  let reply: Reply | null = null;
  try {
    const isWhole = prediction.code === null || (request.method === "HEAD" && !mayEndAtParser(prediction));
    reply = await send(api, request, isWhole);
    if (!reply) throw new Expectation("connection", `a response: ${prediction.status}`, "none");
    compare(reply, prediction, oracle.contract);
    return { reply, finding: null };
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    const shown = error.in(`${request.method} ${shownTarget(request, prediction)}`);
    const finding = { by: prediction.by, expectation: shown.shownBy(reply?.exchange ?? null) };
    return { reply: reply ?? undefined, finding };
  }
}

const shownTarget = ({ target }: Request, { by }: Prediction) =>
  `${target.length > 60 ? `${target.slice(0, 60)}…` : target}, by ${by}`;

/** The cases of a list by their requirements: each run creates them once, for all of its checks. */
const made = new WeakMap<Model, Map<List, ReadonlyMap<string, readonly Request[]>>>();

function casesOf(api: Api, list: List): ReadonlyMap<string, readonly Request[]> {
  const lists = made.get(api.model) ?? new Map<List, ReadonlyMap<string, readonly Request[]>>();
  made.set(api.model, lists);
  const known = lists.get(list);
  if (known) return known;
  const cases = new Map<string, Request[]>();
  for (const [of, request] of list(askingOf(api))) {
    const some = cases.get(of) ?? [];
    some.push(request);
    cases.set(of, some);
  }
  lists.set(list, cases);
  return cases;
}

/** The requests of one requirement. */
function* requestsOf(api: Api, id: string, list: List, alone: boolean): Generator<Request, void, Reply | undefined> {
  if (!alone) return yield* casesOf(api, list).get(id) ?? [];
  const cases = list(askingOf(api))[Symbol.iterator]();
  for (let next = cases.next(); !next.done; ) {
    const [of, request] = next.value;
    next = cases.next(of === id ? yield request : undefined);
  }
}

/**
 * The addresses that all lists share, and those of this check: what a wrong server creates is found only by the check that sent
 * it.
 */
export function ownAddresses(api: Api): readonly (readonly [shared: string, own: string])[] {
  const values = [...api.model.examples.values()].flatMap((example) => Object.values(example));
  const shared = values.filter((value): value is string => typeof value === "string" && value.includes("@"));
  return [...new Set(shared)].map((value) => [value, api.email()]);
}

const withAddresses = (request: Request, addresses: ReturnType<typeof ownAddresses>): Request =>
  addresses.reduce(
    ({ target, body, ...rest }, [shared, own]) => ({
      ...rest,
      target: target.replaceAll(encodeURIComponent(shared), encodeURIComponent(own)).replaceAll(shared, own),
      body: body.replaceAll(shared, own),
    }),
    request,
  );

/** The state that rejected commands could change, by operation; each is read before the first of them is sent. */
export async function watch(
  asking: Asking,
  request: Request,
  states: Map<string, State>,
  addresses: readonly string[],
): Promise<void> {
  const { api, oracle, model } = asking;
  const reading = oracle.read(request, model);
  // Whatever the method is: a wrong server may carry out a command in a body or a query.
  const name = reading.json?.["@"] ?? reading.name;
  const operation = typeof name === "string" ? findOperation(name) : null;
  const stated = operation && oracle.contract.operations[operation.id];
  if (!operation || !stated || operation.method !== "POST" || states.has(operation.id)) return;
  states.set(operation.id, await stateOf(api, operation, asking.input(stated), addresses));
}

/** Operations whose successes show what else the deployment holds are called once in a run, before the first list. */
const prepared = new WeakMap<Model, Promise<unknown>>();

export function prepare(api: Api): Promise<unknown> {
  const { model } = api;
  const names = model.oracle.own.flatMap(({ operation, names }) => (names ? [operation] : []));
  const calls = prepared.get(model) ?? Promise.all(names.map((name) => api.call(name)));
  prepared.set(model, calls);
  return calls;
}

const learned = new WeakMap<Model, Promise<void>>();

/** The facts about a deployment, once in a run: which names exist, and the tag of each representation. */
export function learn(api: Api): Promise<void> {
  const learning = learned.get(api.model) ?? lookAt(api);
  learned.set(api.model, learning);
  // Not even a value of an input may be known yet: then it is tried again.
  learning.catch(() => learned.delete(api.model));
  return learning;
}

async function lookAt(api: Api): Promise<void> {
  await prepare(api);
  for (const target of FILES) await api.request({ method: "GET", target, large: true });
  const { operations, input } = askingOf(api);
  for (const operation of operations.filter(({ method }) => method === "GET"))
    for (const accept of mediaTypesOf(operation)) {
      await api.call(operation.id, { input: input(operation), accept });
      for (const name of operation.known) await api.call(name, { input: {}, accept });
    }
}

/** Why this run may not send a request; null if it may. */
export function withheldFrom(
  asking: Asking,
  request: Request,
  { code, or = [] }: Prediction,
  addresses: ReturnType<typeof ownAddresses>,
): Withheld | null {
  const { api } = asking;
  const harm = harmOfCodes([code, ...or].map(String));
  if (!api.mayHarm && harm !== null) return new Withheld(harm);
  // A wrong server could carry out a request that it must reject.
  if (!api.mayWrite && holdsData(asking, request, addresses)) return new Withheld("the data of a command", "write");
  return null;
}

/** Whether a request has data that a command could carry out. */
const holdsData = ({ oracle, model }: Asking, request: Request, addresses: ReturnType<typeof ownAddresses>): boolean =>
  oracle.read(request, model).data !== null ||
  addresses.some(([, own]) =>
    [own, encodeURIComponent(own)].some((text) => (request.body + request.target).includes(text)),
  );

/**
 * Sends the cases of one requirement, one after another (in a brief run one that is accepted, and one that is rejected), and
 * throws the finding that fits it best.
 */
async function runCases(api: Api, id: string, list: List, alone: boolean): Promise<void> {
  await prepare(api);
  const requests = requestsOf(api, id, list, alone);
  const asking = askingOf(api);
  const { oracle, model } = asking;
  const addresses = ownAddresses(api);
  const findings: Finding[] = [];
  const states = new Map<string, State>();
  const created = new Map<Operation, Reply[]>();
  let sent = 0;
  let silences = 0;
  let withheld: Withheld | null = null;
  const sides = new Set<boolean>();
  let reply: Reply | undefined;
  for (let next = requests.next(); !next.done; next = requests.next(reply)) {
    reply = undefined;
    const request = withAddresses(next.value, addresses);
    const prediction = oracle.predict(request, model);
    const carriedOut = request.method === "POST" && prediction.code === null;
    if (carriedOut && api.mayWrite && api.usersLeft === 0) continue;
    const reason = withheldFrom(asking, request, prediction, addresses);
    withheld = reason ?? withheld;
    if (reason) continue;
    const isRejected = prediction.code !== null;
    if (api.brief && sides.has(isRejected)) continue;
    sides.add(isRejected);
    if (findings.length >= MOST_FINDINGS || silences >= MOST_SILENCES) break;
    try {
      if (!carriedOut)
        await watch(
          asking,
          request,
          states,
          addresses.map(([, own]) => own),
        );
      const { finding, ...received } = await judged(asking, request, prediction);
      reply = received.reply;
      sent += 1;
      const { operation, replayed } = prediction;
      if (carriedOut && operation && reply?.status === 201 && !replayed)
        created.set(operation, [...(created.get(operation) ?? []), reply]);
      if (finding) findings.push(finding);
      if (finding?.expectation.aspect === "connection") silences += 1;
    } catch (error) {
      if (!(error instanceof Withheld)) throw error;
      withheld = error;
    }
  }
  if (sent === 0) throw withheld ?? new Stopped(asking.lacks.join("; ") || "there is no request to send");
  const [first] = findings.sort((a, b) => Number(b.by === id) - Number(a.by === id));
  if (first && findings.length > 1) throw first.expectation.in(`and ${findings.length - 1} more requests`);
  if (first) throw first.expectation;
  for (const state of states.values()) await expectUnchanged(api, state);
  for (const [command, replies] of created) await expectListed(api, command, replies);
}

const lists = new WeakMap<Check, List>();

/** The list whose requests a check sends; undefined for any other check. */
export const listOf = (check: Check): List | undefined => lists.get(check);

/**
 * A check for each of these requirements: it sends the list's cases for it. `name` distinguishes two lists of one requirement.
 */
export function checksOf(requirements: readonly string[], list: List, name?: string): readonly TargetCheck[] {
  return requirements.map((id) => {
    const options = { decided: true, brief: true };
    const made = check(name === undefined ? id : `${id}#${name}`, options, (api) =>
      runCases(api, id, list, requirements.length === 1),
    );
    lists.set(made, list);
    return made;
  });
}
