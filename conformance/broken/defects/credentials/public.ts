import type { Context, Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, namedIn } from "../../look.ts";
import { respondProblem, withQuery } from "../../shape.ts";
import { inHeader, inQuery, open, sent } from "./words.ts";

const area = "credentials";

const isOpen = (request: ProxyRequest) =>
  open.some((id) => namedIn(request) === id || namedIn(request)?.startsWith(`${id}.`));

/** What an operation that needs credentials would say to the same ones. */
async function judged(request: ProxyRequest, { forward }: Context): Promise<ProxyAnswer | null> {
  const answer = await forward(withQuery(request, (query) => query.set("@", "test.health")));
  return answer.status >= 400 ? answer : null;
}

const onOpen = (
  name: string,
  description: string,
  refusal: (request: ProxyRequest, context: Context) => Promise<ProxyAnswer | null> | ProxyAnswer | null,
  catches: readonly string[],
): Defect => ({
  id: `credentials/public-${name}`,
  area,
  description,
  requirements: ["credentials/public"],
  catches,
  reason: /200/,
  request: async (request, context) => (isOpen(request) ? await refusal(request, context) : null) ?? request,
});

const each = open.map((id) => `credentials/public#${id}`);

export const credentialPublicDefects: readonly Defect[] = [
  onOpen("needs-credentials", "Asks for credentials on every operation.", judged, ["credentials/public"]),
  onOpen(
    "judges-what-is-sent",
    "Judges credentials wherever they are sent.",
    (request, context) => (sent(request, "X-API-KEY") ? judged(request, context) : null),
    ["credentials/public"],
  ),
  onOpen(
    "judges-platform",
    "Refuses an unknown platform on public operations.",
    (request) => {
      const platform = sent(request, "X-PLATFORM");
      return platform !== "" && platform !== "web" ? respondProblem(403, "platform-not-allowed") : null;
    },
    [...each, ...open.map((id) => `credentials/public#head-${id}`)],
  ),
  onOpen(
    "judges-authorization",
    "Refuses what it cannot read in Authorization on public operations.",
    (request) => (header(request, "Authorization") ? respondProblem(401, "credentials-invalid") : null),
    each,
  ),
  onOpen(
    "judges-conflict",
    "Refuses a conflict on public operations.",
    (request) => {
      const [one, other] = [inHeader(request, "X-API-KEY"), inQuery(request, "X-API-KEY")];
      return one && other && one !== other ? respondProblem(400, "credential-conflict") : null;
    },
    each,
  ),
  onOpen(
    "parameters-unknown",
    "Takes credentials in the query of a public operation for unknown parameters.",
    (request) =>
      inQuery(request, "X-API-KEY") === null && inQuery(request, "X-PLATFORM") === null
        ? null
        : respondProblem(422, "invalid-input"),
    each,
  ),
  onOpen(
    "strange-key-fails",
    "Fails on a public operation at a key that is not ASCII.",
    (request) => (/[^\x20-\x7e]/.test(sent(request, "X-API-KEY")) ? respondProblem(500, "internal-error") : null),
    each,
  ),
  onOpen(
    "long-key-refused",
    "Refuses a long key on a public operation.",
    (request) => (sent(request, "X-API-KEY").length > 1000 ? respondProblem(400, "malformed-request") : null),
    each,
  ),
  ...open.map((id) =>
    onOpen(
      `${id}-needs-credentials`,
      `Asks for credentials on ${id}.`,
      (request, context) =>
        namedIn(request) === id || namedIn(request)?.startsWith(`${id}.`) ? judged(request, context) : null,
      [`credentials/public#${id}`, `credentials/public#head-${id}`, `credentials/public#expired-${id}`],
    ),
  ),
];
