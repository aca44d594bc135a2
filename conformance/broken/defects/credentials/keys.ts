import { problems } from "../../../../generated/operations.ts";
import type { Context, Defect } from "../../defect.ts";
import { letIn, respondProblem, withAddedHeader, withJson } from "../../shape.ts";
import { problemsWith, requestOf } from "../../when.ts";
import { comparisonDefects } from "./comparisons.ts";
import { asProblem, closed, inQuery, letInIfKey, ofEach, sent, withDetail } from "./words.ts";

const area = "credentials";
const ISSUED = /^atp_[0-9a-f]{48}$/;

const inv = ofEach("credentials/invalid#");
const invalidOnes = [...ofEach("credentials/expired#"), ...ofEach("credentials/revoked#")];

/** Keeps a number for each key that was refused. */
function numberOf(key: string, { state }: Context): number {
  if (!state.has(key)) state.set(key, state.size);
  return Number(state.get(key));
}

export const credentialKeyDefects: readonly Defect[] = [
  ...comparisonDefects,
  {
    id: "credentials/any-key-in-query",
    area,
    description: "Judges a key in a header, but none in the query.",
    requirements: ["credentials/invalid", "credentials/whole", "user.list/credentials", "test.health/credentials"],
    catches: [...inv, ...ofEach("credentials/whole#key-"), "user.list/credentials", "test.health/credentials"],
    reason: /401|refus/,
    request: (request, context) =>
      inQuery(request, "X-API-KEY") && sent(request, "X-PLATFORM") ? letIn(request, context) : request,
  },
  ...closed.map(
    (id): Defect => ({
      id: `credentials/any-key-${id}`,
      area,
      description: `Takes any key on ${id}.`,
      requirements: ["credentials/invalid", "credentials/whole", "credentials/challenge"],
      catches: [`credentials/invalid#${id}`, `credentials/whole#key-${id}`, `credentials/challenge#${id}`],
      reason: /401/,
      request: requestOf(
        id,
        letInIfKey(() => true),
      ),
    }),
  ),
  {
    id: "credentials/invalid-is-403",
    area,
    description: "Refuses an invalid key with 403.",
    requirements: ["credentials/invalid", "credentials/challenge", "credentials/expired", "credentials/revoked"],
    catches: [...inv, ...ofEach("credentials/challenge#"), ...invalidOnes],
    reason: /401/,
    answer: problemsWith("credentials-invalid", (answer) => asProblem(answer, 403, "scope-missing")),
  },
  {
    id: "credentials/invalid-is-missing",
    area,
    description: "Calls an invalid key a missing one.",
    requirements: ["credentials/invalid"],
    catches: inv,
    reason: /credentials-invalid/,
    answer: problemsWith("credentials-invalid", (answer) => asProblem(answer, 401, "credentials-missing")),
  },
  {
    id: "credentials/strange-key-fails",
    area,
    description: "Fails with 500 at a key that holds a control character.",
    requirements: ["credentials/invalid", "credentials/whole"],
    catches: [...inv, ...ofEach("credentials/whole#key-")],
    reason: /401/,
    request: (request) =>
      /\p{Cc}/u.test(sent(request, "X-API-KEY")) ? respondProblem(500, "internal-error") : request,
  },
  {
    id: "credentials/malformed-key-told",
    area,
    description: "Tells a key that is none by its form from one that is unknown.",
    requirements: ["credentials/alike"],
    catches: ofEach("credentials/alike#"),
    reason: /as for an unknown key/,
    answer: problemsWith("credentials-invalid", (answer, request) =>
      ISSUED.test(sent(request, "X-API-KEY")) ? answer : withDetail(answer, "The API key is malformed."),
    ),
  },
  {
    id: "credentials/odd-length-told",
    area,
    description: "Says of a key that it is too long, or too short.",
    requirements: ["credentials/alike"],
    catches: ofEach("credentials/alike#"),
    reason: /as for an unknown key/,
    answer: problemsWith("credentials-invalid", (answer, request) => {
      const { length } = sent(request, "X-API-KEY");
      return length > 200 || length < 5 ? withDetail(answer, "The API key has a wrong length.") : answer;
    }),
  },
  {
    id: "credentials/expired-told-in-query",
    area,
    description: "Says of a key in the query that it was valid once.",
    requirements: ["credentials/alike"],
    catches: ofEach("credentials/alike#special-"),
    reason: /as for an unknown key/,
    answer: problemsWith("credentials-invalid", (answer, request) =>
      ISSUED.test(inQuery(request, "X-API-KEY") ?? "") ? withDetail(answer, "The API key is over.") : answer,
    ),
  },
  {
    id: "credentials/key-end-shown",
    area,
    description: "Shows the last characters of a key that it refuses.",
    requirements: ["credentials/alike"],
    catches: ["credentials/alike"],
    reason: /as for an unknown key/,
    answer: problemsWith("credentials-invalid", (answer, request) =>
      withDetail(answer, `The API key …${sent(request, "X-API-KEY").slice(-4)} is not valid.`),
    ),
  },
  {
    id: "credentials/expired-and-revoked-told",
    area,
    description: "Says of each key in its own words why it is not valid.",
    requirements: ["credentials/alike"],
    catches: ofEach("credentials/alike#special-"),
    reason: /as for an unknown key/,
    answer: problemsWith("credentials-invalid", (answer, request, context) => {
      const key = sent(request, "X-API-KEY");
      if (!ISSUED.test(key)) return answer;
      return withDetail(
        answer,
        numberOf(key, context) % 2 === 0 ? "The API key has expired." : "The API key was revoked.",
      );
    }),
  },
  {
    id: "credentials/key-status-header",
    area,
    description: "Says in a header that a key was valid once.",
    requirements: ["credentials/alike"],
    catches: ofEach("credentials/alike#special-"),
    reason: /x-key-status/,
    answer: problemsWith("credentials-invalid", (answer, request) =>
      ISSUED.test(sent(request, "X-API-KEY")) ? withAddedHeader(answer, "X-Key-Status", "expired") : answer,
    ),
  },
  {
    id: "credentials/key-known-by-title",
    area,
    description: "Has another title for a key that was valid once.",
    requirements: ["credentials/alike"],
    catches: ofEach("credentials/alike#special-"),
    reason: /title/,
    answer: problemsWith("credentials-invalid", (answer, request) =>
      ISSUED.test(sent(request, "X-API-KEY"))
        ? withJson(answer, (json) => ({ ...json, title: `${problems["credentials-invalid"].title}: expired` }))
        : answer,
    ),
  },
  {
    id: "credentials/expired-and-revoked-accepted",
    area,
    description: "Looks a key up, but neither at its expiry nor at its revocation.",
    requirements: ["credentials/expired", "credentials/revoked"],
    catches: invalidOnes,
    reason: /401/,
    answer: problemsWith("credentials-invalid", (answer, request, context) =>
      ISSUED.test(sent(request, "X-API-KEY")) ? context.forward(letIn(request, context)) : answer,
    ),
  },
  {
    id: "credentials/expired-in-query-accepted",
    area,
    description: "Looks at the expiry of a key in a header only.",
    requirements: ["credentials/expired", "credentials/revoked"],
    catches: invalidOnes,
    reason: /401/,
    answer: problemsWith("credentials-invalid", (answer, request, context) =>
      ISSUED.test(inQuery(request, "X-API-KEY") ?? "") ? context.forward(letIn(request, context)) : answer,
    ),
  },
];
