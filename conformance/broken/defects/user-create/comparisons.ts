import type { Defect } from "../../defect.ts";
import { operationOf, problemCode } from "../../look.ts";
import { letIn, respondProblem, withHeader } from "../../shape.ts";
import { changing, sentUser, userIn } from "./words.ts";

/** What can go wrong in telling addresses apart, and in asking whether one is taken. */
export const comparisonDefects: readonly Defect[] = [
  {
    id: "emails/compared-in-turkish",
    area: "taken e-mail addresses",
    description: "Makes small letters by the rules of Turkish, where those of i and I differ.",
    requirements: ["user.create/email-taken", "user.create/one-of-many"],
    catches: [
      ...["letter-case", "stored-in-upper-case"].map((variant) => `user.create/email-taken#${variant}`),
      "user.create/one-of-many#letter-case",
    ],
    reason: /409|exactly one 201|as sent/,
    ...changing("email", (email) => email.replaceAll("I", "1")),
  },
  {
    id: "emails/compared-with-like",
    area: "taken e-mail addresses",
    description: "Looks for taken addresses with LIKE, where `_` stands for any character.",
    requirements: ["user.create/created"],
    catches: ["user.create/created#answered"],
    reason: /201/,
    request: (request, { state }) => {
      const { email } = sentUser(request);
      if (email === undefined) return request;
      const pattern = new RegExp(`^${email.replace(/[.+]/g, "\\$&").replaceAll("_", ".")}$`, "i");
      const taken = [...state.keys()].some((other) => other !== email && pattern.test(other));
      if (/^[\w.+@-]+$/.test(email)) state.set(email, true);
      return taken && email.includes("_") ? respondProblem(409, "email-taken") : request;
    },
  },
  {
    id: "emails/looked-up-before-input",
    area: "taken e-mail addresses",
    description: "Looks whether the address is taken before it judges the name.",
    requirements: ["user.create/name-length"],
    catches: ["user.create/name-length#one"],
    reason: /422/,
    answer: (answer, request, { state }) => {
      const user = userIn(answer);
      if (user) state.set(String(user.email), true);
      const known = state.has(sentUser(request).email ?? "");
      return known && problemCode(answer) === "invalid-input" ? respondProblem(409, "email-taken") : answer;
    },
  },
  {
    id: "user.create/stores-by-head",
    area: "refused users",
    description: "Reads the body of HEAD as that of a POST, and refuses only then.",
    requirements: ["user.create/refused-not-stored"],
    catches: ["user.create/refused-not-stored#other-methods"],
    reason: /creates nothing/,
    answer: async (answer, request, context) => {
      if (request.method === "HEAD" && operationOf({ ...request, method: "POST" }) === "user.create") {
        const target = request.target.replace(/\?.*/, "");
        const sent = withHeader(
          { ...letIn(request, context), method: "POST", target },
          "Content-Type",
          "application/json",
        );
        await context.forward(sent);
      }
      return answer;
    },
  },
];
