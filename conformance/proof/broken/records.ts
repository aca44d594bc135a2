import { EventEmitter, once } from "node:events";
import type { Request } from "../../oracle/model-state.ts";
import { creating } from "../operations.ts";
import {
  creation,
  letIn,
  refusal,
  respond,
  withJson,
  withoutHeader,
} from "../proxy/edit-response.ts";
import type { Context, Mutant, Reply } from "../proxy/message.ts";
import { isList, jsonAnswer, jsonBody, problemCode, queryOf } from "../proxy/sniff.ts";
import {
  answering,
  asking,
  callerOf,
  concurrent,
  count,
  emailIn,
  first,
  IDEMPOTENCY_KEY,
  idOf,
  isCreate,
  isCreated,
  isReplay,
  keyOf,
  listed,
  type Memory,
  unstored,
  withItems,
} from "./memory.ts";

/**
 * Commands, wrong after or during others: what is stored of a record, and for an idempotency key.
 */

type Is = (answer: Reply, request: Request) => boolean;
type NameOf = (request: Request) => string;

const nameOf: NameOf = (request) => `${callerOf(request)} ${keyOf(request)}`;
const addressIn: NameOf = (request) => emailIn(request).toLowerCase();

const creates = (id: string, change: (answer: Reply, request: Request, state: Memory) => Reply) =>
  answering(id, (answer, request, { state }) =>
    isCreate(request) ? change(answer, request, state) : answer,
  );

const forgets = (
  id: string,
  isForgotten: (name: string, context: Context, request: Request) => boolean,
): Mutant =>
  asking(id, (request, context) => {
    count(context.state, "requests");
    return keyOf(request) !== "" && isForgotten(nameOf(request), context, request)
      ? withoutHeader(request, IDEMPOTENCY_KEY)
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

/**
 * After a response of one kind, those of another kind to requests of the same name, unless it is
 * empty, are wrong.
 */
const misled = (id: string, nameOf: NameOf, by: Is, where: Is, wrong: () => Reply): Mutant =>
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
  again: (record: unknown) => Reply,
): Mutant =>
  creates(id, (answer, request, state) => {
    const name = nameOf(request);
    if (answer.status === 201 && name !== "") first(state, name, jsonAnswer(answer));
    const record = state.get(name);
    const isOther = record !== undefined && Object(record).id !== idOf(answer);
    return isOther && where(answer, request) ? again(record) : answer;
  });

const keys: readonly Mutant[] = [
  forgets("forgets a key after five others", (name, { state }) => {
    const names = listed(state, "names");
    if (!names.includes(name)) names.push(name);
    return names.length - names.indexOf(name) > 5;
  }),
  forgets(
    "knows a key on its connection only",
    (name, { state, connection }) => first(state, name, connection) !== connection,
  ),
  creates("replays the last record, whatever the key", (answer, request, state) => {
    if (isCreated(answer, request)) state.set("last", jsonAnswer(answer));
    return isReplay(answer) ? withJson(answer, (own) => state.get("last") ?? own) : answer;
  }),
  creates("creates again at the second replay", (answer, request, state) =>
    isReplay(answer) && count(state, nameOf(request)) === 2 ? unstored(request) : answer,
  ),
  repeats(
    "shares keys between API keys",
    keyOf,
    (answer, request) => isCreated(answer, request) || isTaken(answer, request),
    replay,
  ),
  misled("uses up the key with invalid input", keyOf, isInvalid, isCreated, reused),
  misled("replays a rejection", keyOf, isTaken, isCreated, taken),
  repeats("user.create replays whatever the data is", nameOf, isReused, replay),
  creates("compares data under a key by its bytes", (answer, request, state) => {
    const bytes = answer.status === 201 ? first(state, nameOf(request), request.body) : null;
    return isReplay(answer) && bytes !== request.body ? reused() : answer;
  }),
  concurrent(
    "answers twins with a conflict",
    (request) => (keyOf(request) === "" ? null : nameOf(request)),
    (answer, _request, _context, underWay) => (underWay > 0 && isReplay(answer) ? taken() : answer),
  ),
];

/** How long a command waits for a list to be read at most. */
const MOST_WAIT_MS = 200;

/**
 * A record is shown late to those who begin to read after its response: only when the commands
 * beside it have their responses too, which wait until somebody has read. Behind them all,
 * everything is there.
 */
const lateReplica: Mutant = {
  id: "a second replica shows a record only when the commands beside it are answered",
  request: (request, { state, connection }) => {
    if (isCreate(request)) count(state, "under way");
    if (isList(request)) connection.set("late", [...listed(state, "late")]);
    return request;
  },
  answer: async (answer, request, { state, connection }) => {
    const reads = first(state, "reads", new EventEmitter());
    if (isCreate(request)) {
      const signal = AbortSignal.timeout(MOST_WAIT_MS);
      if (listed(state, "late").length > 0) await once(reads, "read", { signal }).catch(() => {});
      if (count(state, "under way", -1) === 0) state.delete("late");
      else if (isCreated(answer, request)) listed(state, "late").push(idOf(answer));
      return answer;
    }
    const late = isList(request) ? listed(connection, "late") : [];
    if (late.length > 0) reads.emit("read");
    return withItems(answer, request, (items) =>
      items.filter(({ id }) => !late.includes(String(id))),
    );
  },
};

const records: readonly Mutant[] = [
  lateReplica,
  concurrent(
    "creates an address twice when two ask at once in other letters",
    // Of several commands with one address, one is first.
    (request) => addressIn(request) || null,
    (answer, request, _, underWay) =>
      underWay > 0 && isTaken(answer, request) && /[A-Z]/.test(emailIn(request))
        ? unstored(request)
        : answer,
  ),
  misled(
    "takes the address of a command that is rejected with invalid-input",
    addressIn,
    isInvalid,
    isCreated,
    taken,
  ),
  creates("looks for an address among the last five records", (answer, request, state) => {
    const [emails, email] = [listed(state, "emails"), addressIn(request)];
    if (isCreated(answer, request)) emails.push(email);
    return isTaken(answer, request) &&
      emails.includes(email) &&
      emails.length - emails.indexOf(email) > 5
      ? unstored(request)
      : answer;
  }),
  answering("changes the name of a record with a conflict", (answer, request, { state }) => {
    if (isTaken(answer, request))
      state.set(addressIn(request), Object(jsonBody(request)?.data).name);
    return withItems(answer, request, (items) =>
      items.map((item) => ({
        ...item,
        name: state.get(String(item.email).toLowerCase()) ?? item.name,
      })),
    );
  }),
];

/**
 * Requests that are rejected, or only read, and carried out all the same: each response is right,
 * the state is not.
 */
const carriesOut = (what: string, isRejected: Is): Mutant =>
  answering(`${what} and carries out user.create`, async (answer, request, context) => {
    // An address in the request, by which the suite recognizes its users.
    const text = `${request.body} ${[...queryOf(request).values()].join(" ")}`;
    const email = isRejected(answer, request) && /[\w.+-]+@[\w.]+\w/.exec(text)?.[0];
    for (const operation of email ? creating : [])
      await context.forward(letIn(creation(request, operation, `${email}`), context));
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
