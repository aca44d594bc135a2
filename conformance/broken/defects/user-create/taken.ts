import type { Context, Defect, ProxyRequest } from "../../defect.ts";
import { jsonBody, operationOf, problemCode } from "../../look.ts";
import { letIn, respond, respondProblem, withHeader, withoutHeader, withQuery, withStatus } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { listing, made, sentUser, userIn } from "./words.ts";

const area = "taken e-mail addresses";
const of = (...variants: readonly string[]) => variants.map((variant) => `user.create/email-taken#${variant}`);
const taken = { area, requirements: ["user.create/email-taken"], reason: /409|email-taken/ };
const races = {
  area,
  requirements: ["user.create/one-of-many"],
  catches: ["user.create/one-of-many#same", "user.create/one-of-many#letter-case"],
};
const race = (id: string, description: string, reason: RegExp, answer: NonNullable<Defect["answer"]>): Defect => ({
  ...races,
  id,
  description,
  reason,
  answer,
});

/** How often an address was sent, letter case aside. */
function times({ email = "" }: { readonly email?: string }, { state }: Context): number {
  const key = `times ${email.toLowerCase()}`;
  const count = Number(state.get(key) ?? 0) + 1;
  state.set(key, count);
  return count;
}

/** Stores the user of a request that is refused. */
const storing = (
  variant: string,
  description: string,
  find: (request: ProxyRequest) => string | undefined,
  codes: readonly string[],
): Defect => ({
  id: `user.create/stores-refused-${variant}`,
  area: "refused users",
  description,
  requirements: ["user.create/refused-not-stored"],
  catches: [`user.create/refused-not-stored#${variant}`],
  reason: /creates nothing/,
  answer: async (answer, request, context) => {
    const email = find(request);
    if (request.method === "GET" || email === undefined || !codes.includes(problemCode(answer) ?? "")) return answer;
    const body = JSON.stringify({ "@": "user.create", data: { name: "Stored", email } });
    const bare = withoutHeader(withoutHeader(letIn(request, context), "Content-Encoding"), "Accept");
    const plain = withQuery(withHeader(bare, "Content-Type", "application/json"), (query) => {
      for (const name of [...query.keys()]) query.delete(name);
    });
    await context.forward({ ...plain, method: "POST", body: Buffer.from(body) });
    return answer;
  },
});

const anyEmail = ({ body }: ProxyRequest) => /[\w+-]+@example\.com/.exec(body.toString())?.[0];

export const takenDefects: readonly Defect[] = [
  {
    ...taken,
    id: "emails/taken-as-422",
    description: "Answers 422 where an e-mail address is taken.",
    catches: ["user.create/email-taken"],
    answer: problemsWith("email-taken", () => respondProblem(422, "invalid-input")),
  },
  {
    ...taken,
    id: "emails/taken-as-400",
    description: "Answers 400 where an e-mail address is taken.",
    catches: ["user.create/email-taken"],
    answer: problemsWith("email-taken", (answer) => withStatus(answer, 400)),
  },
  {
    ...taken,
    id: "emails/taken-as-500",
    description: "Does not catch what its database says of a taken e-mail address.",
    requirements: ["user.create/email-taken", "user.create/one-of-many"],
    catches: ["user.create/email-taken", "user.create/one-of-many"],
    answer: problemsWith("email-taken", () => respondProblem(500, "internal-error")),
  },
  {
    ...taken,
    id: "emails/taken-as-conflict",
    description: "Has a code of its own for a taken e-mail address.",
    catches: ["user.create/email-taken"],
    answer: problemsWith("email-taken", () => respondProblem(409, "conflict")),
  },
  {
    ...taken,
    id: "emails/taken-as-created",
    description: "Answers 201 and the user where the e-mail address is taken.",
    requirements: ["user.create/email-taken", "user.create/one-of-many"],
    catches: ["user.create/email-taken", "user.create/one-of-many"],
    reason: /409|exactly one 201/,
    answer: problemsWith("email-taken", (_answer, request) => made(sentUser(request))),
  },
  {
    ...taken,
    id: "emails/letter-case-matters",
    description: "Takes an e-mail address in other letters for another one.",
    requirements: ["user.create/email-taken", "user.create/one-of-many"],
    catches: [...of("letter-case", "stored-in-upper-case"), "user.create/one-of-many#letter-case"],
    reason: /409|exactly one 201/,
    answer: (answer, request, { state }) => {
      const user = userIn(answer);
      if (user) state.set(String(user.email), true);
      const { email = "" } = sentUser(request);
      return problemCode(answer) === "email-taken" && !state.has(email) ? made(sentUser(request)) : answer;
    },
  },
  {
    ...taken,
    id: "emails/local-case-matters",
    description: "Ignores the letter case of the domain only.",
    catches: of("letter-case", "stored-in-upper-case"),
    answer: (answer, request, { state }) => {
      const key = ({ email = "" }: { readonly email?: unknown }) => String(email).replace(/@.*/, "");
      const user = userIn(answer);
      if (user) state.set(key(user), true);
      return problemCode(answer) === "email-taken" && !state.has(key(sentUser(request)))
        ? made(sentUser(request))
        : answer;
    },
  },
  {
    ...taken,
    id: "emails/compared-with-lowered",
    description: "Looks for the address in small letters among those stored as sent.",
    catches: of("stored-in-upper-case"),
    answer: (answer, request, { state }) => {
      const user = userIn(answer);
      if (user) state.set(String(user.email), true);
      const lowered = sentUser(request).email?.toLowerCase() ?? "";
      return problemCode(answer) === "email-taken" && !state.has(lowered) ? made(sentUser(request)) : answer;
    },
  },
  {
    ...taken,
    id: "emails/owner-renamed",
    description: "Gives the user the name of the one who came too late.",
    catches: of("same", "letter-case"),
    reason: /in the list too/,
    ...listing((users, { state }) =>
      users.map((user) => ({ ...user, name: state.get(String(user.email).toLowerCase()) ?? user.name })),
    ),
    request: (request, { state }) => {
      const { name, email } = sentUser(request);
      if (email !== undefined) state.set(email.toLowerCase(), name);
      return request;
    },
  },
  {
    ...taken,
    id: "emails/twice-is-the-same",
    description: "Answers 200 and the user to the same create again.",
    catches: of("same"),
    answer: (answer, request, { state }) => {
      const user = userIn(answer);
      const key = JSON.stringify(sentUser(request));
      if (user) state.set(key, user);
      return problemCode(answer) === "email-taken" && state.has(key) ? respond(200, state.get(key)) : answer;
    },
  },
  race(
    "emails/looked-up-first",
    "Looks whether the address is taken, and then stores: parallel creates all find it free.",
    /exactly one 201/,
    (answer, request, context) =>
      operationOf(request) === "user.create" &&
      times(sentUser(request), context) <= 2 &&
      problemCode(answer) === "email-taken"
        ? made(sentUser(request))
        : answer,
  ),
  race(
    "emails/losers-fail",
    "Answers 500 to those who lose a race.",
    /409|email-taken/,
    problemsWith("email-taken", () => respondProblem(500, "internal-error")),
  ),
  race(
    "emails/losers-time-out",
    "Answers 503 to those who lose a race.",
    /409|email-taken/,
    problemsWith("email-taken", () => respondProblem(503, "storage-unavailable")),
  ),
  race("emails/nobody-wins", "Refuses all of several parallel creates.", /exactly one 201/, (answer) =>
    userIn(answer) ? respondProblem(409, "email-taken") : answer,
  ),
  race(
    "emails/winner-answered-with-another",
    "Answers the winner of a race with the name of a loser.",
    /that won/,
    (answer) => {
      const user = userIn(answer);
      return user ? respond(201, { ...user, name: "Racer 99" }) : answer;
    },
  ),
  storing("input", "Stores first, and judges the input then.", (request) => sentUser(request).email, ["invalid-input"]),
  storing("body", "Stores what it can find in a body that it refuses.", anyEmail, [
    "malformed-json",
    "unsupported-media-type",
    "content-too-large",
  ]),
  storing("credentials", "Stores first, and judges the credentials then.", anyEmail, [
    "credentials-missing",
    "credentials-invalid",
    "platform-not-allowed",
    "credential-conflict",
  ]),
  storing("request", "Stores first, and judges Accept then.", anyEmail, ["not-acceptable"]),
  {
    id: "user.create/put-creates",
    area: "refused users",
    description: "Creates by PUT, and answers 405.",
    requirements: ["user.create/refused-not-stored"],
    catches: ["user.create/refused-not-stored#request"],
    reason: /creates nothing/,
    answer: async (answer, request, { forward }) => {
      if (request.method === "PUT" && jsonBody(request)) await forward({ ...request, method: "POST" });
      return answer;
    },
  },
];
