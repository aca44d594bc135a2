import type { Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { letIn, respondProblem } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { asProblem, goodOnes, inHeader, inQuery, ofEach, sent } from "./words.ts";

const area = "credentials";

export const credentialOrderDefects: readonly Defect[] = [
  {
    id: "credentials/invalid-before-missing",
    area,
    description: "Judges the key before it sees that there is no platform.",
    requirements: ["credentials/order"],
    catches: [
      ...ofEach("credentials/order#missing-"),
      ...ofEach("credentials/order#expired-"),
      ...ofEach("credentials/order#revoked-"),
    ],
    reason: /credentials-missing/,
    answer: problemsWith("credentials-missing", (answer, request, context) => {
      const key = sent(request, "X-API-KEY");
      return key !== "" && key !== goodOnes(context).key ? asProblem(answer, 401, "credentials-invalid") : answer;
    }),
  },
  {
    id: "credentials/platform-before-missing",
    area,
    description: "Judges the platform before it sees that there is no key.",
    requirements: ["credentials/order"],
    catches: ofEach("credentials/order#missing-"),
    reason: /401/,
    answer: problemsWith("credentials-missing", (answer, request, context) => {
      const platform = sent(request, "X-PLATFORM");
      const known = platform === "" || platform === goodOnes(context).platform;
      return known ? answer : asProblem(answer, 403, "platform-not-allowed");
    }),
  },
  {
    id: "credentials/platform-before-key",
    area,
    description: "Judges the platform before the key.",
    requirements: ["credentials/order"],
    catches: [
      ...ofEach("credentials/order#invalid-"),
      ...ofEach("credentials/order#expired-"),
      ...ofEach("credentials/order#revoked-"),
    ],
    reason: /401/,
    answer: problemsWith("credentials-invalid", (answer, request, context) =>
      sent(request, "X-PLATFORM") === goodOnes(context).platform
        ? answer
        : asProblem(answer, 403, "platform-not-allowed"),
    ),
  },
  {
    id: "credentials/platform-before-scope",
    area,
    description: "Judges the platform before the scope.",
    requirements: ["credentials/order"],
    catches: ofEach("credentials/order#scope-"),
    reason: /scope-missing/,
    answer: problemsWith("scope-missing", (answer, request, context) =>
      sent(request, "X-PLATFORM") === goodOnes(context).platform
        ? answer
        : asProblem(answer, 403, "platform-not-allowed"),
    ),
  },
  {
    id: "credentials/scope-before-conflict",
    area,
    description: "Judges the scope of the key in the header before it compares it with the query.",
    requirements: ["credentials/order"],
    catches: ofEach("credentials/order#scope-"),
    reason: /400/,
    answer: problemsWith("credential-conflict", (answer, request, context) => {
      const key = inHeader(request, "X-API-KEY");
      const special = key?.startsWith("atp_") && key !== goodOnes(context).key;
      return special ? asProblem(answer, 403, "scope-missing") : answer;
    }),
  },
  {
    id: "credentials/missing-before-conflict",
    area,
    description: "Sees that one credential is missing before it compares the other.",
    requirements: ["credentials/order"],
    catches: ofEach("credentials/order#conflict-"),
    reason: /400/,
    answer: problemsWith("credential-conflict", (answer, request) =>
      sent(request, "X-API-KEY") && sent(request, "X-PLATFORM")
        ? answer
        : asProblem(answer, 401, "credentials-missing"),
    ),
  },
  {
    id: "credentials/invalid-before-conflict",
    area,
    description: "Judges the key before it compares the platforms.",
    requirements: ["credentials/order"],
    catches: ofEach("credentials/order#conflict-"),
    reason: /400/,
    answer: problemsWith("credential-conflict", (answer, request, context) => {
      const { key } = goodOnes(context);
      const wrong = [inHeader(request, "X-API-KEY"), inQuery(request, "X-API-KEY")].every((one) => one !== key);
      return wrong && sent(request, "X-API-KEY") ? asProblem(answer, 401, "credentials-invalid") : answer;
    }),
  },
  {
    id: "credentials/unknown-platform-needs-no-key",
    area,
    description: "Judges no key on a platform that it does not know.",
    requirements: ["credentials/order"],
    catches: ofEach("credentials/order#invalid-"),
    reason: /401/,
    answer: problemsWith("credentials-invalid", (answer, request, context) =>
      sent(request, "X-PLATFORM") === goodOnes(context).platform ? answer : context.forward(letIn(request, context)),
    ),
  },
  {
    id: "credentials/accept-before-query",
    area,
    description: "Reads credentials in the query after it has judged what the caller accepts.",
    requirements: ["dispatch/order-credentials-first"],
    catches: ofEach("dispatch/order-credentials-first#query-"),
    reason: /40[013]/,
    request: (request) =>
      header(request, "Accept") === "image/png" && inQuery(request, "X-PLATFORM") !== null
        ? respondProblem(406, "not-acceptable")
        : request,
  },
];
