import { header, jsonAnswer, jsonBody, problemCode } from "../../proxy/look.ts";
import { respond, respondProblem, withHeader, withJson, withoutHeader, withStatus } from "../../proxy/shape.ts";
import * as W from "./memory.ts";

/** Idempotency keys and commands. */

const forgets = (
  id: string,
  isForgotten: (request: Parameters<W.Change>[0], context: Parameters<W.Change>[1]) => boolean,
): W.Broken => [
  id,
  {
    request: (request, context) =>
      W.keyOf(request) !== "" && isForgotten(request, context) ? W.withoutKey(request) : request,
  },
];
const name = (request: Parameters<W.Change>[0]) => `${W.apiKeyOf(request)} ${W.keyOf(request)}`;
const usedBefore = (request: Parameters<W.Change>[0], { state }: Parameters<W.Change>[1]) => {
  const keys = W.listed(state, "keys");
  return W.put(keys, name(request)) ? keys.length - 1 - keys.indexOf(name(request)) : null;
};

export const keys: readonly W.Broken[] = [
  forgets("forgets a key when another is used", (request, context) => (usedBefore(request, context) ?? 0) >= 1),
  forgets("forgets a key after five others", (request, context) => (usedBefore(request, context) ?? 0) >= 5),
  forgets("forgets a key after twenty others", (request, context) => (usedBefore(request, context) ?? 0) >= 20),
  [
    "forgets a key after 30 requests",
    {
      request: (request, { state }) => {
        const now = W.count(state, "requests");
        if (W.keyOf(request) === "") return request;
        const first = Number(state.get(name(request)) ?? now);
        state.set(name(request), first);
        return now - first > 30 ? W.withoutKey(request) : request;
      },
    },
  ],
  forgets("knows a key on its connection only", (request, { state, connection }) => {
    const owner = state.get(name(request)) ?? connection;
    state.set(name(request), owner);
    return owner !== connection;
  }),
  forgets("knows a key only where the credentials are in the same place", (request, { state }) => {
    const place = String(header(request, "X-API-KEY") === null);
    const first = state.get(name(request)) ?? place;
    state.set(name(request), first);
    return first !== place;
  }),
  forgets("has keys for the first caller alone", (request, { state }) => {
    const first = state.get("first") ?? W.apiKeyOf(request);
    state.set("first", first);
    return first !== W.apiKeyOf(request);
  }),
  forgets("loses the key of a request with Accept-Encoding", (request) => header(request, "Accept-Encoding") !== null),
  forgets("loses the key of a request with a trace", (request) => header(request, "traceparent") !== null),
  [
    "replays the last record, whatever the key",
    {
      answer: (answer, request, { state }) => {
        if (W.isCreated(answer, request)) state.set("last", jsonAnswer(answer));
        return W.isReplay(answer) ? withJson(answer, (own) => state.get("last") ?? own) : answer;
      },
    },
  ],
  [
    "replays with the time of the replay",
    {
      answer: (answer) =>
        W.isReplay(answer) ? withJson(answer, (own) => ({ ...own, createdAt: new Date().toISOString() })) : answer,
    },
  ],
  [
    "replays under another id from the second time on",
    {
      answer: (answer, request, { state }) =>
        W.isReplay(answer) && W.count(state, name(request)) > 1
          ? withJson(answer, (own) => ({ ...own, id: String(own.id).replace(/.$/, "0") }))
          : answer,
    },
  ],
  [
    "shares keys between API keys",
    {
      answer: (answer, request, { state }) => {
        const key = W.keyOf(request);
        if (key === "" || answer.status < 200) return answer;
        if (answer.status === 201 && !state.has(key)) state.set(key, jsonAnswer(answer));
        const first = state.get(key);
        const other = first !== undefined && (answer.status === 201 || problemCode(answer) === "email-taken");
        return other && !W.isReplay(answer) && Object(first).id !== W.idOf(answer)
          ? respond(201, first, { "Idempotent-Replayed": "true" })
          : answer;
      },
    },
  ],
  ...(
    [
      ["a conflict", /^email-taken$/],
      ["invalid input", /^invalid-input$/],
      ["a missing scope", /^scope-missing$/],
      ["a response that cannot be accepted", /^not-acceptable$/],
    ] as const
  ).map(
    ([what, codes]): W.Broken => [
      `uses up the key with ${what}`,
      {
        answer: (answer, request, { state }) => {
          const key = W.keyOf(request);
          if (key === "") return answer;
          if (state.has(key) && W.isCreated(answer, request)) return respondProblem(422, "idempotency-key-reused");
          if (codes.test(problemCode(answer) ?? "")) state.set(key, true);
          return answer;
        },
      },
    ],
  ),
  [
    "replays a rejection",
    {
      answer: (answer, request, { state }) => {
        const key = W.keyOf(request);
        if (key === "" || answer.status === 401) return answer;
        const first = state.get(key);
        if (first !== undefined && W.isCreated(answer, request)) return respondProblem(409, "email-taken");
        if (answer.status === 409) state.set(key, true);
        return answer;
      },
    },
  ],
  [
    "creates again at the second replay",
    {
      answer: (answer, request, { state }) =>
        W.isReplay(answer) && W.count(state, name(request)) === 2 ? respond(201, W.unstored(request)) : answer,
    },
  ],
  [
    "says of the first replay alone that it is one",
    {
      answer: (answer, request, { state }) =>
        W.isReplay(answer) && W.count(state, name(request)) > 1 ? withoutHeader(answer, "Idempotent-Replayed") : answer,
    },
  ],
  [
    "forgets a key with other data under it",
    {
      request: (request, { state }) => (state.has(name(request)) ? W.withoutKey(request) : request),
      answer: (answer, request, { state }) => {
        if (problemCode(answer) === "idempotency-key-reused") state.set(name(request), true);
        return answer;
      },
    },
  ],
  [
    "replays other data after a replay",
    {
      answer: (answer, request, { state }) => {
        if (W.isReplay(answer)) state.set(name(request), jsonAnswer(answer));
        const first = state.get(name(request));
        return first && problemCode(answer) === "idempotency-key-reused"
          ? respond(201, first, { "Idempotent-Replayed": "true" })
          : answer;
      },
    },
  ],
  [
    "compares data under a key by its bytes",
    {
      answer: (answer, request, { state }) => {
        const body = request.body.toString();
        if (W.keyOf(request) !== "" && W.isCreated(answer, request)) state.set(name(request), body);
        return W.isReplay(answer) && state.get(name(request)) !== body
          ? respondProblem(422, "idempotency-key-reused")
          : answer;
      },
    },
  ],
  [
    "answers twins with a conflict",
    {
      request: (request, { state }) => {
        if (W.keyOf(request) !== "") W.count(state, `under way ${name(request)}`);
        return request;
      },
      answer: (answer, request, { state }) => {
        const way = `under way ${name(request)}`;
        const beside = W.keyOf(request) !== "" && W.seen(state, way) > 1;
        state.set(way, W.seen(state, way) - 1);
        return beside && W.isReplay(answer) ? respondProblem(409, "email-taken") : answer;
      },
    },
  ],
  [
    "says of twins that both are first",
    {
      request: (request, { state }) => {
        if (W.keyOf(request) !== "") state.set(name(request), Math.max(W.count(state, name(request)), 0));
        return request;
      },
      answer: (answer, request, { state }) => {
        const beside = W.seen(state, name(request)) > 1;
        if (W.keyOf(request) !== "") state.set(name(request), W.seen(state, name(request)) - 1);
        return beside && W.isReplay(answer) ? withoutHeader(answer, "Idempotent-Replayed") : answer;
      },
    },
  ],
  [
    "loses every seventh record",
    {
      answer: (answer, request, context) => {
        if (W.isCreated(answer, request) && W.count(context.state, "created") % 7 === 0)
          W.put(W.listed(context.state, "lost"), W.idOf(answer));
        return W.withItems((items) => items.filter(({ id }) => !W.listed(context.state, "lost").includes(String(id))))(
          answer,
          request,
          context,
        );
      },
    },
  ],
  [
    "gives a record the id of the one before, now and then",
    {
      answer: (answer, request, { state }) => {
        if (!W.isCreated(answer, request)) return answer;
        const before = state.get("id");
        state.set("id", W.idOf(answer));
        return before && W.count(state, "created") % 5 === 0
          ? withJson(answer, (own) => ({ ...own, id: before }))
          : answer;
      },
    },
  ],
  [
    "answers a create beside another with its record",
    {
      request: (request, { state }) => {
        if (W.isCreate(request)) W.count(state, "under way");
        return request;
      },
      answer: (answer, request, { state }) => {
        if (!W.isCreate(request)) return answer;
        const beside = W.seen(state, "under way") > 1;
        state.set("under way", W.seen(state, "under way") - 1);
        const last = state.get("last");
        if (W.isCreated(answer, request)) state.set("last", jsonAnswer(answer));
        return beside && last && W.isCreated(answer, request) ? withJson(answer, () => last) : answer;
      },
    },
  ],
  [
    "frees an address with a conflict",
    {
      answer: (answer, request, { state }) => {
        if (problemCode(answer) !== "email-taken") return answer;
        return W.count(state, W.emailIn(request).toLowerCase()) === 2 ? respond(201, W.unstored(request)) : answer;
      },
    },
  ],
  ...(["scope-missing", "invalid-input", "credentials-missing"] as const).map(
    (code): W.Broken => [
      `takes the address of a command that is rejected with ${code}`,
      {
        answer: (answer, request, { state }) => {
          if (!W.isCreate(request)) return answer;
          const email = W.emailIn(request).toLowerCase();
          if (W.isCreated(answer, request) && email !== "" && state.has(email))
            return respondProblem(409, "email-taken");
          if (problemCode(answer) === code) state.set(email, true);
          return answer;
        },
      },
    ],
  ),
  [
    "looks for an address among the last five records",
    {
      answer: (answer, request, { state }) => {
        const emails = W.listed(state, "emails");
        const email = W.emailIn(request).toLowerCase();
        if (W.isCreated(answer, request)) W.put(emails, email);
        const known = emails.indexOf(email);
        return problemCode(answer) === "email-taken" && known >= 0 && known < emails.length - 5
          ? respond(201, W.unstored(request))
          : answer;
      },
    },
  ],
  [
    "minds the letter case of addresses from the sixth record on",
    {
      answer: (answer, request, { state }) => {
        const email = W.emailIn(request);
        if (W.isCreated(answer, request)) {
          W.count(state, "created");
          state.set(email, true);
        }
        return problemCode(answer) === "email-taken" &&
          !state.has(email) &&
          !/[\\]|somebody/.test(email) &&
          W.seen(state, "created") > 5
          ? respond(201, W.unstored(request))
          : answer;
      },
    },
  ],
  [
    "creates an address twice when two ask at once in other letters",
    {
      request: (request, { state }) => {
        if (W.isCreate(request)) W.count(state, `way ${W.emailIn(request).toLowerCase()}`);
        return request;
      },
      answer: (answer, request, { state }) => {
        if (!W.isCreate(request)) return answer;
        const way = `way ${W.emailIn(request).toLowerCase()}`;
        const beside = W.seen(state, way) > 1;
        state.set(way, W.seen(state, way) - 1);
        const email = W.emailIn(request);
        return beside && problemCode(answer) === "email-taken" && email !== email.toLowerCase()
          ? respond(201, W.unstored(request))
          : answer;
      },
    },
  ],
  [
    "fails when two ask at once for one address",
    {
      request: (request, { state }) => {
        if (W.isCreate(request)) W.count(state, `way ${W.emailIn(request)}`);
        return request;
      },
      answer: (answer, request, { state }) => {
        if (!W.isCreate(request)) return answer;
        const way = `way ${W.emailIn(request)}`;
        const beside = W.seen(state, way) > 1;
        state.set(way, W.seen(state, way) - 1);
        return beside && problemCode(answer) === "email-taken" ? respondProblem(500, "internal-error") : answer;
      },
    },
  ],
  [
    "changes the name of a record with a conflict",
    {
      answer: (answer, request, context) => {
        const data = jsonBody(request)?.data;
        if (problemCode(answer) === "email-taken")
          context.state.set(W.emailIn(request).toLowerCase(), Object(data).name);
        return W.withItems((items) =>
          items.map((item) => ({ ...item, name: context.state.get(String(item.email).toLowerCase()) ?? item.name })),
        )(answer, request, context);
      },
    },
  ],
  [
    "answers a create under a key with 200 where the caller prefers less",
    {
      answer: (answer, request) =>
        W.keyOf(request) !== "" && answer.status === 201 && header(request, "Prefer") !== null
          ? withStatus(answer, 200)
          : answer,
    },
  ],
  [
    "replays with the X-Request-Id of the first",
    {
      answer: (answer, request, { state }) => {
        const id = header(answer, "X-Request-Id");
        if (W.keyOf(request) !== "" && W.isCreated(answer, request)) state.set(name(request), id);
        const first = state.get(name(request));
        return W.isReplay(answer) && typeof first === "string" ? withHeader(answer, "X-Request-Id", first) : answer;
      },
    },
  ],
];
