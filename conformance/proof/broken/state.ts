import { broken, type Mutant } from "../mutant.ts";
import { isObject, type JsonObject, jsonAnswer, operationOf, problemCode } from "../proxy/look.ts";
import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respond, respondProblem, withJson } from "../proxy/shape.ts";
import { creating, inputOf, showing, simplest } from "../requests.ts";

/** State that must not be kept: caches, stopped clocks, users created twice, lost or overwritten. */

type State = Context["state"];

const sent = (request: ProxyRequest, member: "name" | "email"): string =>
  creating.some(({ id }) => id === operationOf(request)) ? String(inputOf(request, member) ?? "") : "";
const created = (answer: ProxyAnswer) => (answer.status === 201 ? jsonAnswer(answer) : null);
const isTaken = (answer: ProxyAnswer) => problemCode(answer) === "email-taken";

/** A user that is returned but not stored. */
function unstored(request: ProxyRequest): ProxyAnswer {
  const now = Date.now();
  const id = `${now.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")}-7000-8000-${String(now).slice(-12)}`;
  const [name, email] = [sent(request, "name"), sent(request, "email")];
  return respond(201, { id, name, email, createdAt: new Date(now).toISOString() });
}

type Change = (answer: ProxyAnswer, request: ProxyRequest, state: State) => ProxyAnswer;
const creates = (what: string, change: Change): readonly Mutant[] =>
  creating.map(({ id }) =>
    broken(`${id} ${what}`, {
      answer: (answer, request, { state }) => (sent(request, "email") === "" ? answer : change(answer, request, state)),
    }),
  );

/** Recognizes an address by the stored form, if it is looked up in this form. */
const knows = (what: string, asked: (email: string) => string) =>
  creates(what, (answer, request, state) => {
    if (created(answer)) state.set(sent(request, "email"), true);
    return isTaken(answer) && !state.has(asked(sent(request, "email"))) ? unstored(request) : answer;
  });

type Items = (items: readonly JsonObject[], request: ProxyRequest, state: State, next: unknown) => readonly unknown[];
const lists = (what: string, change: Items, hooks: Hooks = {}): readonly Mutant[] =>
  showing.map(({ id }) =>
    broken(`${id} ${what}`, {
      ...hooks,
      answer: (answer, request, { state }) => {
        if (created(answer)) state.set("created", true);
        const { items, nextCursor } = jsonAnswer(answer) ?? {};
        if (operationOf(request) !== id || !Array.isArray(items)) return answer;
        return withJson(answer, (page) => ({
          ...page,
          items: change(items.filter(isObject), request, state, nextCursor),
        }));
      },
    }),
  );

const reports = (what: string, change: (said: JsonObject, state: State) => JsonObject): Mutant =>
  broken(`${simplest.id} ${what}`, {
    answer: (answer, request, { state }) =>
      operationOf(request) === simplest.id ? withJson(answer, (said) => change(said, state)) : answer,
  });

/** The value stored under a name, or this one from now on. */
function kept<T>(state: State, name: string, value: T): T {
  if (!state.has(name)) state.set(name, value);
  // Only this function writes under the name, always a T.
  return state.get(name) as T;
}

export const mutants: readonly Mutant[] = [
  ...knows("minds the letter case of an address", String),
  ...knows("looks for an address in small letters among those as sent", (email) => email.toLowerCase()),
  ...creates("looks for an address before it stores, at the same time as others", (answer, request, state) => {
    const times = Number(state.get(sent(request, "email").toLowerCase()) ?? 0) + 1;
    state.set(sent(request, "email").toLowerCase(), times);
    return times <= 2 && isTaken(answer) ? unstored(request) : answer;
  }),
  ...creates("answers the same create again with the same user", (answer, request, state) => {
    const key = `${sent(request, "name")} ${sent(request, "email")}`;
    if (created(answer)) state.set(key, created(answer));
    return isTaken(answer) && state.has(key) ? respond(200, state.get(key)) : answer;
  }),
  ...creates("answers with the user of another", (answer, _request, state) => {
    const user = created(answer);
    const before = state.get("user") ?? user;
    state.set("user", user ?? before);
    return user ? withJson(answer, () => before) : answer;
  }),
  ...creates("takes _ in an address for any character", (answer, request, state) => {
    const email = sent(request, "email");
    const pattern = new RegExp(`^${email.replace(/[^\w]/g, "\\$&").replaceAll("_", ".")}$`, "i");
    const taken = email.includes("_") && [...state.keys()].some((other) => other !== email && pattern.test(other));
    state.set(email, true);
    return taken && created(answer) ? respondProblem(409, "email-taken") : answer;
  }),
  ...creates("looks for an address before it judges the name", (answer, request, state) => {
    if (created(answer)) state.set(sent(request, "email"), true);
    const known = problemCode(answer) === "invalid-input" && state.has(sent(request, "email"));
    return known ? respondProblem(409, "email-taken") : answer;
  }),
  ...lists(
    "has the name of who came too late",
    (items, _request, state) =>
      items.map((user) => ({ ...user, name: state.get(String(user.email).toLowerCase()) ?? user.name })),
    {
      request: (request, { state }) => {
        if (sent(request, "email") !== "") state.set(sent(request, "email").toLowerCase(), sent(request, "name"));
        return request;
      },
    },
  ),
  ...lists("shows a page as it was first", (items, { target }, state) => kept(state, target, items)),
  ...lists("leaves one out of every second page", (items, _request, state) => {
    state.set("pages", Number(state.get("pages") ?? 0) + 1);
    return Number(state.get("pages")) % 2 === 0 ? items : items.slice(1);
  }),
  ...lists("begins a page with the last of the page before", (items, request, state, next) => {
    state.set(`before ${next}`, items.at(-1));
    const before = state.get(`before ${inputOf(request, "cursor")}`);
    return before === undefined ? items : [before, ...items];
  }),
  ...lists("shifts a page when a user was created", (items, request, state) =>
    inputOf(request, "cursor") !== undefined && state.delete("created") ? items.slice(1) : items,
  ),
  reports("says what it said first", (said, state) =>
    // A time of whole seconds may be unchanged for a while.
    kept(state, "said", { ...said, time: String(said.time).replace(/\.\d+Z$/, ".001Z") }),
  ),
  reports("has a clock that runs backwards", (said, state) => {
    const time = Number(state.get("time") ?? Date.parse(String(said.time))) - 3_000;
    state.set("time", time);
    return { ...said, time: new Date(time).toISOString() };
  }),
];
