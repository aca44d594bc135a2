import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, problemCode, queryOf } from "../../look.ts";
import { respondProblem } from "../../shape.ts";
import { depthOf, textOf } from "./words.ts";

const unreadable = ["malformed-json", "unsupported-media-type"];
const requirements = [
  ...["http/media-type", "http/content-encoding"],
  ...["http/malformed-json", "http/not-utf8", "http/proto-member", "http/nesting"],
];
const caught = (of: readonly string[]) => of.map((requirement) => `${requirement}#whatever-else-is-wrong`);

/** Judges something else before the body: what this answers goes before what is wrong with that. */
const sooner = (
  judge: (request: ProxyRequest, key: string | undefined) => ProxyAnswer | null,
): Pick<Defect, "answer"> => ({
  answer: (answer, request, { credentials }) =>
    request.method === "POST" && unreadable.includes(problemCode(answer) ?? "")
      ? (judge(request, credentials?.key) ?? answer)
      : answer,
});

const order = { area: "order", requirements, catches: caught(requirements), reason: /status 4(?:00|15) .*beside/ };

export const precedenceDefects: readonly Defect[] = [
  {
    ...order,
    id: "order/credentials-before-body",
    description: "Has a gateway in front that judges keys before anyone reads the body.",
    ...sooner((request, key) => {
      const sent = header(request, "X-API-KEY") ?? queryOf(request).get("X-API-KEY");
      return sent === key ? null : respondProblem(401, sent === null ? "credentials-missing" : "credentials-invalid");
    }),
  },
  {
    ...order,
    id: "order/operation-before-body",
    description: "Looks for the name of the operation before it judges the rest of the body.",
    ...sooner((request) => (/"@":"no\.such/.test(textOf(request)) ? respondProblem(404, "operation-not-found") : null)),
  },
  {
    ...order,
    id: "order/accept-before-body",
    description: "Judges Accept before it reads the body.",
    ...sooner((request) => (header(request, "Accept") === "image/png" ? respondProblem(406, "not-acceptable") : null)),
  },
  {
    ...order,
    id: "order/depth-with-the-input",
    description: "Counts levels with the input, behind the credentials.",
    requirements: ["http/nesting"],
    catches: caught(["http/nesting"]),
    ...sooner((request) =>
      depthOf(textOf(request)) === 17 && header(request, "X-API-KEY") === null
        ? respondProblem(401, "credentials-missing")
        : null,
    ),
  },
];
