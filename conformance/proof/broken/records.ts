import { broken, type Mutant } from "../mutant.ts";
import { header, jsonAnswer, jsonBody, problemCode, queryOf } from "../proxy/look.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { letIn, refusal, respond, withJson, withoutHeader } from "../proxy/shape.ts";
import { creating } from "../requests.ts";
import * as W from "./memory.ts";

/** Commands, wrong after or during others: what is stored of a record, and for an idempotency key. */

type Change = (answer: ProxyAnswer, request: ProxyRequest, state: W.Memory, name: string) => ProxyAnswer;
const nameOf = (request: ProxyRequest) => `${W.callerOf(request)} ${W.keyOf(request)}`;
const creates = (id: string, change: Change) =>
  W.answering(id, (answer, request, { state }) => change(answer, request, state, nameOf(request)), W.isCreate);
const keyed = (id: string, change: Change) =>
  creates(id, (answer, request, state, name) => (W.keyOf(request) ? change(answer, request, state, name) : answer));

const forgets = (id: string, isForgotten: (name: string, context: Context, request: ProxyRequest) => boolean): Mutant =>
  broken(id, {
    request: (request, context) => {
      W.count(context.state, "requests");
      return W.keyOf(request) !== "" && isForgotten(nameOf(request), context, request)
        ? withoutHeader(request, W.IDEMPOTENCY_KEY)
        : request;
    },
  });

/** Requests with one key of one caller. */
const twin = (request: ProxyRequest) => (W.keyOf(request) === "" ? null : nameOf(request));

const isTaken = (answer: ProxyAnswer) => problemCode(answer) === "email-taken";
const isReused = (answer: ProxyAnswer) => problemCode(answer) === "idempotency-key-reused";
const taken = () => refusal("email-taken");
const reused = () => refusal("idempotency-key-reused");
const replay = (record: unknown) => respond(201, record, { "Idempotent-Replayed": "true" });

const keys: readonly Mutant[] = [
  forgets("forgets a key after five others", (name, { state }) => {
    const names = W.listed(state, "names");
    if (!names.includes(name)) names.push(name);
    return names.length - names.indexOf(name) > 5;
  }),
  forgets("forgets a key after 30 requests", (name, { state }) => {
    const now = W.seen(state, "requests");
    return now - W.first(state, name, now) > 30;
  }),
  forgets(
    "knows a key on its connection only",
    (name, { state, connection }) => W.first(state, name, connection) !== connection,
  ),
  forgets("has keys for the first caller alone", (_, { state }, request) => {
    const caller = W.callerOf(request);
    return W.first(state, "caller", caller) !== caller;
  }),
  creates("replays the last record, whatever the key", (answer, request, state) => {
    if (W.isCreated(answer, request)) state.set("last", jsonAnswer(answer));
    return W.isReplay(answer) ? withJson(answer, (own) => state.get("last") ?? own) : answer;
  }),
  creates("creates again at the second replay", (answer, request, state, name) =>
    W.isReplay(answer) && W.count(state, name) === 2 ? W.unstored(request) : answer,
  ),
  keyed("shares keys between API keys", (answer, request, state) => {
    if (answer.status === 201) W.first(state, W.keyOf(request), jsonAnswer(answer));
    const record = state.get(W.keyOf(request));
    const isOther = record !== undefined && Object(record).id !== W.idOf(answer);
    return isOther && (W.isCreated(answer, request) || isTaken(answer)) ? replay(record) : answer;
  }),
  keyed("uses up the key with invalid input", (answer, request, state) => {
    if (problemCode(answer) === "invalid-input") state.set(W.keyOf(request), true);
    return state.has(W.keyOf(request)) && W.isCreated(answer, request) ? reused() : answer;
  }),
  keyed("replays a rejection", (answer, request, state) => {
    if (answer.status === 409) state.set(W.keyOf(request), true);
    return state.has(W.keyOf(request)) && W.isCreated(answer, request) ? taken() : answer;
  }),
  broken("forgets a key with other data under it", {
    request: (request, { state }) => (state.has(nameOf(request)) ? withoutHeader(request, W.IDEMPOTENCY_KEY) : request),
    answer: (answer, request, { state }) => {
      if (isReused(answer)) state.set(nameOf(request), true);
      return answer;
    },
  }),
  keyed("user.create replays whatever the data is", (answer, _, state, name) => {
    if (answer.status === 201) state.set(name, jsonAnswer(answer));
    return isReused(answer) && state.has(name) ? replay(state.get(name)) : answer;
  }),
  keyed("compares data under a key by its bytes", (answer, { body }, state, name) => {
    const bytes = answer.status === 201 ? W.first(state, name, body.toString()) : null;
    return W.isReplay(answer) && bytes !== body.toString() ? reused() : answer;
  }),
  W.concurrent("answers twins with a conflict", twin, (answer, _request, _context, others) =>
    others > 0 && W.isReplay(answer) ? taken() : answer,
  ),
];

/** Of several commands with one address, one is first. */
const sameAddress = (request: ProxyRequest) => W.emailIn(request).toLowerCase() || null;

/** A record that is created, but which no list shows. */
function losing(answer: ProxyAnswer, request: ProxyRequest, state: W.Memory, isLost: () => boolean): ProxyAnswer {
  const lost = W.listed(state, "lost");
  if (W.isCreated(answer, request) && isLost()) lost.push(W.idOf(answer));
  return W.withItems(answer, request, (items) => items.filter(({ id }) => !lost.includes(String(id))));
}

const records: readonly Mutant[] = [
  W.answering("loses every seventh record", (answer, request, { state }) =>
    losing(answer, request, state, () => W.count(state, "created") % 7 === 0),
  ),
  W.concurrent(
    "loses records that are created at once",
    (request) => (W.isCreate(request) ? "create" : W.isList(request) ? "list" : null),
    (answer, request, { state }, others) => losing(answer, request, state, () => others > 0),
  ),
  W.concurrent(
    "answers a create beside another with its record",
    (request) => (W.isCreate(request) ? "create" : null),
    (answer, request, { state }, others) => {
      const last = W.isCreated(answer, request) && W.before(state, "last", jsonAnswer(answer));
      return last && others > 0 ? withJson(answer, () => last) : answer;
    },
  ),
  W.concurrent(
    "creates an address twice when two ask at once in other letters",
    sameAddress,
    (answer, request, _, others) =>
      others > 0 && isTaken(answer) && /[A-Z]/.test(W.emailIn(request)) ? W.unstored(request) : answer,
  ),
  creates("takes the address of a command that is rejected with invalid-input", (answer, request, state) => {
    const email = W.emailIn(request).toLowerCase();
    if (problemCode(answer) === "invalid-input") state.set(email, true);
    return W.isCreated(answer, request) && state.has(email) ? taken() : answer;
  }),
  creates("looks for an address among the last five records", (answer, request, state) => {
    const [emails, email] = [W.listed(state, "emails"), W.emailIn(request).toLowerCase()];
    if (W.isCreated(answer, request)) emails.push(email);
    return isTaken(answer) && emails.includes(email) && emails.length - emails.indexOf(email) > 5
      ? W.unstored(request)
      : answer;
  }),
  creates("minds the letter case of addresses from the sixth record on", (answer, request, state) => {
    const [emails, email] = [W.listed(state, "emails"), W.emailIn(request)];
    if (W.isCreated(answer, request)) emails.push(email);
    const isOther = !emails.includes(email) && !email.includes("somebody");
    return isTaken(answer) && isOther && emails.length > 5 ? W.unstored(request) : answer;
  }),
  creates("user.create takes _ in an address for any character", (answer, request, state) => {
    const email = W.emailIn(request);
    const pattern = new RegExp(`^${email.replace(/[^\w]/g, "\\$&").replaceAll("_", ".")}$`, "i");
    const isKnown = email.includes("_") && [...state.keys()].some((other) => other !== email && pattern.test(other));
    state.set(email, true);
    return isKnown && W.isCreated(answer, request) ? taken() : answer;
  }),
  creates("user.create looks for an address before it judges the name", (answer, request, state) => {
    if (W.isCreated(answer, request)) state.set(W.emailIn(request), true);
    return problemCode(answer) === "invalid-input" && state.has(W.emailIn(request)) ? taken() : answer;
  }),
  creates("user.create answers the same create again with the same user", (answer, { body }, state) => {
    if (answer.status === 201) state.set(body.toString(), jsonAnswer(answer));
    const user = state.get(body.toString());
    return isTaken(answer) && user ? respond(200, user) : answer;
  }),
  W.answering("changes the name of a record with a conflict", (answer, request, { state }) => {
    if (isTaken(answer)) state.set(W.emailIn(request).toLowerCase(), Object(jsonBody(request)?.data).name);
    return W.withItems(answer, request, (items) =>
      items.map((item) => ({ ...item, name: state.get(String(item.email).toLowerCase()) ?? item.name })),
    );
  }),
];

/** Requests that are rejected, or only read, and carried out all the same: each response is right, the state is not. */
const carriesOut = (what: string, isRejected: (answer: ProxyAnswer, request: ProxyRequest) => boolean): Mutant =>
  W.answering(`${what} and carries out user.create`, async (answer, request, context) => {
    // An address in the request, by which the suite recognizes its users.
    const text = `${request.body} ${[...queryOf(request).values()].join(" ")}`;
    const email = isRejected(answer, request) && /[\w.+-]+@[\w.]+\w/.exec(text)?.[0];
    for (const { name, example } of email ? creating : []) {
      const body = Buffer.from(JSON.stringify({ "@": name, data: { ...example, email } }));
      const headers = Object.entries({ Host: header(request, "Host") ?? "", "Content-Type": "application/json" });
      await context.forward(letIn({ ...request, method: "POST", target: "/api/", headers, body }, context));
    }
    return answer;
  });

export const histories: readonly Mutant[] = [
  ...keys,
  ...records,
  carriesOut("says scope-missing", (answer) => problemCode(answer) === "scope-missing"),
  carriesOut("says invalid-input", (answer) => problemCode(answer) === "invalid-input"),
];

export const mutants: readonly Mutant[] = [carriesOut("rejects GET", (_, { method }) => method === "GET")];
