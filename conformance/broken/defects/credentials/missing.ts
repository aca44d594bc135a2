import type { Defect } from "../../defect.ts";
import { withJson, withoutHeader, withStatus } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { asProblem, ofEach, withDetail } from "./words.ts";

const area = "credentials";

/** What is said to a caller who sent too little, or the wrong thing. */
export const missingDefects: readonly Defect[] = [
  {
    id: "credentials/missing-is-403",
    area,
    description: "Refuses missing credentials with 403.",
    requirements: ["credentials/missing", "credentials/challenge"],
    catches: [...ofEach("credentials/missing#"), ...ofEach("credentials/challenge#")],
    reason: /401/,
    answer: problemsWith("credentials-missing", (answer) =>
      withJson(withStatus(answer, 403), (json) => ({ ...json, status: 403 })),
    ),
  },
  {
    id: "credentials/missing-is-invalid",
    area,
    description: "Calls missing credentials invalid.",
    requirements: ["credentials/missing", "credentials/empty"],
    catches: [...ofEach("credentials/missing#"), "credentials/empty"],
    reason: /credentials-missing/,
    answer: problemsWith("credentials-missing", (answer) => asProblem(answer, 401, "credentials-invalid")),
  },
  {
    id: "credentials/missing-names-both",
    area,
    description: "Names both credentials, whichever is missing.",
    requirements: ["credentials/missing-says-which"],
    catches: ["credentials/missing-says-which"],
    reason: /a detail that names/,
    answer: problemsWith("credentials-missing", (answer) => withDetail(answer, "Send X-API-KEY and X-PLATFORM.")),
  },
  {
    id: "credentials/missing-names-none",
    area,
    description: "Says only that credentials are missing.",
    requirements: ["credentials/missing-says-which"],
    catches: ["credentials/missing-says-which"],
    reason: /a detail that names/,
    answer: problemsWith("credentials-missing", (answer) => withDetail(answer, "Credentials are missing.")),
  },
  {
    id: "credentials/missing-names-the-first",
    area,
    description: "Stops at the first credential that is missing.",
    requirements: ["credentials/missing-says-which"],
    catches: ["credentials/missing-says-which"],
    reason: /X-API-KEY and X-PLATFORM only/,
    answer: problemsWith("credentials-missing", (answer) =>
      withJson(answer, (json) => {
        const detail = String(json.detail);
        return { ...json, detail: detail.includes("X-API-KEY") ? "Missing: X-API-KEY." : detail };
      }),
    ),
  },
  ...(["credentials-missing", "credentials-invalid"] as const).map(
    (code): Defect => ({
      id: `credentials/no-challenge-${code}`,
      area,
      description: `Sends no WWW-Authenticate with 401 ${code}.`,
      requirements: ["credentials/challenge"],
      catches: ["credentials/challenge"],
      reason: /WWW-Authenticate/,
      answer: problemsWith(code, (answer) => withoutHeader(answer, "WWW-Authenticate")),
    }),
  ),
  {
    id: "credentials/challenge-bearer",
    area,
    description: "Asks for a bearer token.",
    requirements: ["credentials/challenge"],
    catches: ["credentials/challenge"],
    reason: /WWW-Authenticate/,
    answer: (answer) => ({
      ...answer,
      headers: answer.headers.map(
        ([name, value]) => [name, /^www-authenticate$/i.test(name) ? "Bearer" : value] as const,
      ),
    }),
  },
];
