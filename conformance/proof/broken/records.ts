import { EventEmitter, once } from "node:events";
import type { Request } from "../../oracle/world.ts";
import { creating } from "../operations.ts";
import { isList, jsonAnswer, jsonBody, problemCode, queryOf } from "../proxy/look.ts";
import type { Context, Mutant, ProxyAnswer } from "../proxy/message.ts";
import { creation, letIn, refusal, respond, withJson, withoutHeader } from "../proxy/shape.ts";
import * as W from "./memory.ts";

/** Commands, wrong after or during others: what is stored of a record, and for an idempotency key. */

type Is = (answer: ProxyAnswer, request: Request) => boolean;
type NameOf = (request: Request) => string;

const nameOf: NameOf = (request) => `${W.callerOf(request)} ${W.keyOf(request)}`;
const addressIn: NameOf = (request) => W.emailIn(request).toLowerCase();

const creates = (
  id: string,
  change: (answer: ProxyAnswer, request: Request, state: W.Memory) => ProxyAnswer,
) =>
  W.answering(id, (answer, request, { state }) =>
    W.isCreate(request) ? change(answer, request, state) : answer,
  );

const forgets = (
  id: string,
  isForgotten: (name: string, context: Context, request: Request) => boolean,
): Mutant =>
  W.asking(id, (request, context) => {
    W.count(context.state, "requests");
    return W.keyOf(request) !== "" && isForgotten(nameOf(request), context, request)
      ? withoutHeader(request, W.IDEMPOTENCY_KEY)
      : request;
  });

const is =
  (code: string): Is =>
  (answer) =>
    problemCode(answer) === code;
const isTaken = is("email-taken");
const isReused = is("idempotency-key-reused");
const isInvalid = is("invalid-input");
const taken = () => refusal("email-taken");
const reused = () => refusal("idempotency-key-reused");
const replay = (record: unknown) => respond(201, record, { "Idempotent-Replayed": "true" });

/** After a response of one kind, those of another kind to requests of the same name, unless it is empty, are wrong. */
const misled = (id: string, nameOf: NameOf, by: Is, where: Is, wrong: () => ProxyAnswer): Mutant =>
  creates(id, (answer, request, state) => {
    const name = nameOf(request);
    const isMisled = name !== "" && state.has(name) && where(answer, request);
    if (by(answer, request)) state.set(name, true);
    return isMisled ? wrong() : answer;
  });

/** Answers with the first record that was created by requests of this name, unless it is empty. */
const repeats = (
  id: string,
  nameOf: NameOf,
  where: Is,
  again: (record: unknown) => ProxyAnswer,
): Mutant =>
  creates(id, (answer, request, state) => {
    const name = nameOf(request);
    if (answer.status === 201 && name !== "") W.first(state, name, jsonAnswer(answer));
    const record = state.get(name);
    const isOther = record !== undefined && Object(record).id !== W.idOf(answer);
    return isOther && where(answer, request) ? again(record) : answer;
  });

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
  creates("creates again at the second replay", (answer, request, state) =>
    W.isReplay(answer) && W.count(state, nameOf(request)) === 2 ? W.unstored(request) : answer,
  ),
  repeats(
    "shares keys between API keys",
    W.keyOf,
    (answer, request) => W.isCreated(answer, request) || isTaken(answer, request),
    replay,
  ),
  misled("uses up the key with invalid input", W.keyOf, isInvalid, W.isCreated, reused),
  misled("replays a rejection", W.keyOf, isTaken, W.isCreated, taken),
  {
    ...forgets("forgets a key with other data under it", (name, { state }) =>
      state.has(`other ${name}`),
    ),
    answer: (answer, request, { state }) => {
      if (isReused(answer, request)) state.set(`other ${nameOf(request)}`, true);
      return answer;
    },
  },
  repeats("user.create replays whatever the data is", nameOf, isReused, replay),
  creates("compares data under a key by its bytes", (answer, request, state) => {
    const bytes = answer.status === 201 ? W.first(state, nameOf(request), request.body) : null;
    return W.isReplay(answer) && bytes !== request.body ? reused() : answer;
  }),
  W.concurrent(
    "answers twins with a conflict",
    (request) => (W.keyOf(request) === "" ? null : nameOf(request)),
    (answer, _request, _context, others) => (others > 0 && W.isReplay(answer) ? taken() : answer),
  ),
];

/** A record that is created, but which no list shows. */
function losing(
  answer: ProxyAnswer,
  request: Request,
  state: W.Memory,
  isLost: () => boolean,
): ProxyAnswer {
  const lost = W.listed(state, "lost");
  if (W.isCreated(answer, request) && isLost()) lost.push(W.idOf(answer));
  return W.withItems(answer, request, (items) =>
    items.filter(({ id }) => !lost.includes(String(id))),
  );
}

/** How long a command waits for a list to be read at most. */
const MOST_WAIT_MS = 200;

/**
 * A record is shown late to those who begin to read after its response: only when the commands beside it
 * have their responses too, which wait until somebody has read. Behind them all, everything is there.
 */
const lateReplica: Mutant = {
  id: "a second replica shows a record only when the commands beside it are answered",
  request: (request, { state, connection }) => {
    if (W.isCreate(request)) W.count(state, "under way");
    if (isList(request)) connection.set("late", [...W.listed(state, "late")]);
    return request;
  },
  answer: async (answer, request, { state, connection }) => {
    const reads = W.first(state, "reads", new EventEmitter());
    if (W.isCreate(request)) {
      const signal = AbortSignal.timeout(MOST_WAIT_MS);
      if (W.listed(state, "late").length > 0) await once(reads, "read", { signal }).catch(() => {});
      if (W.count(state, "under way", -1) === 0) state.delete("late");
      else if (W.isCreated(answer, request)) W.listed(state, "late").push(W.idOf(answer));
      return answer;
    }
    const late = isList(request) ? W.listed(connection, "late") : [];
    if (late.length > 0) reads.emit("read");
    return W.withItems(answer, request, (items) =>
      items.filter(({ id }) => !late.includes(String(id))),
    );
  },
};

const records: readonly Mutant[] = [
  lateReplica,
  W.answering("loses every seventh record", (answer, request, { state }) =>
    losing(answer, request, state, () => W.count(state, "created") % 7 === 0),
  ),
  W.concurrent(
    "loses records that are created at once",
    (request) => (W.isCreate(request) ? "create" : isList(request) ? "list" : null),
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
    // Of several commands with one address, one is first.
    (request) => addressIn(request) || null,
    (answer, request, _, others) =>
      others > 0 && isTaken(answer, request) && /[A-Z]/.test(W.emailIn(request))
        ? W.unstored(request)
        : answer,
  ),
  misled(
    "takes the address of a command that is rejected with invalid-input",
    addressIn,
    isInvalid,
    W.isCreated,
    taken,
  ),
  creates("looks for an address among the last five records", (answer, request, state) => {
    const [emails, email] = [W.listed(state, "emails"), addressIn(request)];
    if (W.isCreated(answer, request)) emails.push(email);
    return isTaken(answer, request) &&
      emails.includes(email) &&
      emails.length - emails.indexOf(email) > 5
      ? W.unstored(request)
      : answer;
  }),
  creates(
    "minds the letter case of addresses from the sixth record on",
    (answer, request, state) => {
      const [emails, email] = [W.listed(state, "emails"), W.emailIn(request)];
      if (W.isCreated(answer, request)) emails.push(email);
      const isOther = !emails.includes(email) && !email.includes("somebody");
      return isTaken(answer, request) && isOther && emails.length > 5
        ? W.unstored(request)
        : answer;
    },
  ),
  creates("user.create takes _ in an address for any character", (answer, request, state) => {
    const email = W.emailIn(request);
    const pattern = new RegExp(`^${email.replace(/[^\w]/g, "\\$&").replaceAll("_", ".")}$`, "i");
    const isKnown =
      email.includes("_") &&
      [...state.keys()].some((other) => other !== email && pattern.test(other));
    state.set(email, true);
    return isKnown && W.isCreated(answer, request) ? taken() : answer;
  }),
  misled(
    "user.create looks for an address before it judges the name",
    W.emailIn,
    W.isCreated,
    isInvalid,
    taken,
  ),
  repeats(
    "user.create answers the same create again with the same user",
    ({ body }) => body,
    isTaken,
    (user) => respond(200, user),
  ),
  W.answering("changes the name of a record with a conflict", (answer, request, { state }) => {
    if (isTaken(answer, request))
      state.set(addressIn(request), Object(jsonBody(request)?.data).name);
    return W.withItems(answer, request, (items) =>
      items.map((item) => ({
        ...item,
        name: state.get(String(item.email).toLowerCase()) ?? item.name,
      })),
    );
  }),
];

/** Requests that are rejected, or only read, and carried out all the same: each response is right, the state is not. */
const carriesOut = (what: string, isRejected: Is): Mutant =>
  W.answering(`${what} and carries out user.create`, async (answer, request, context) => {
    // An address in the request, by which the suite recognizes its users.
    const text = `${request.body} ${[...queryOf(request).values()].join(" ")}`;
    const email = isRejected(answer, request) && /[\w.+-]+@[\w.]+\w/.exec(text)?.[0];
    for (const one of email ? creating : [])
      await context.forward(letIn(creation(request, one, `${email}`), context));
    return answer;
  });

export const histories: readonly Mutant[] = [
  ...keys,
  ...records,
  carriesOut("says scope-missing", is("scope-missing")),
  carriesOut("says invalid-input", isInvalid),
];

export const mutants: readonly Mutant[] = [
  carriesOut("rejects GET", (_, { method }) => method === "GET"),
];
