import { operations } from "../../../../generated/operations.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, operationOf, pathOf, problemCode, queryOf } from "../../look.ts";
import { respond, withAddedHeader, withBody, withHeader, withJson } from "../../shape.ts";
import { inQuery, sent } from "./words.ts";

const area = "credentials";
const every = Object.keys(operations).map((id) => `credentials/never-shown#${id}`);
const refused = "credentials/never-shown#refused";

const showing = (
  name: string,
  description: string,
  catches: readonly string[],
  show: (answer: ProxyAnswer, key: string, request: ProxyRequest) => ProxyAnswer,
): Defect => ({
  id: `credentials/shown-${name}`,
  area,
  description,
  requirements: ["credentials/never-shown"],
  catches,
  reason: /it stands in/,
  answer: (answer, request) => {
    const key = sent(request, "X-API-KEY");
    return key === "" ? answer : show(answer, key, request);
  },
});

const visible = (text: string) => text.replace(/[^\x21-\x7e]/g, "");

export const credentialShownDefects: readonly Defect[] = [
  showing("in-header", "Sends the key back in a header.", ["credentials/never-shown"], (answer, key) =>
    withAddedHeader(answer, "X-Caller", visible(key)),
  ),
  showing("in-header-base64", "Sends the key back in base64.", ["credentials/never-shown"], (answer, key) =>
    withAddedHeader(answer, "X-Trace", Buffer.from(`key=${key}`).toString("base64")),
  ),
  showing("in-detail", "Says in a problem which key was sent.", [refused, ...every], (answer, key) =>
    problemCode(answer) === null
      ? answer
      : withJson(answer, (json) => ({ ...json, detail: `${json.detail} (key ${key})` })),
  ),
  showing(
    "when-invalid",
    "Says which key is not valid.",
    ["user.list", "user.create", "test.health"].map((id) => `credentials/never-shown#${id}`),
    (answer, key) =>
      problemCode(answer) === "credentials-invalid"
        ? withJson(answer, (json) => ({ ...json, detail: `Unknown key ${key}.` }))
        : answer,
  ),
  showing(
    "in-instance",
    "Puts the address of the request into a problem.",
    [refused, ...every],
    (answer, _, request) =>
      problemCode(answer) === null ? answer : withJson(answer, (json) => ({ ...json, instance: request.target })),
  ),
  showing(
    "in-method-refusal",
    "Shows the headers of a request with another method.",
    [refused, ...every],
    (answer, _, request) => (answer.status === 405 ? withBody(answer, JSON.stringify(request.headers)) : answer),
  ),
  showing("on-unknown-path", "Says which address is not served.", [refused], (answer, _, request) =>
    problemCode(answer) === "path-not-found"
      ? withJson(answer, (json) => ({ ...json, detail: `${request.target} is not served` }))
      : answer,
  ),
  showing("on-landing-page", "Shows the query on the landing page.", [refused], (answer, _, request) =>
    pathOf(request) === "/" && header(answer, "Content-Type")?.startsWith("text/html")
      ? withBody(answer, `${answer.body}<!-- ${queryOf(request)} -->`)
      : answer,
  ),
  {
    id: "credentials/shown-in-redirect",
    area,
    description: "Redirects a misspelled path to the right one with its query.",
    requirements: ["credentials/never-shown"],
    catches: [refused],
    reason: /Location/,
    request: (request) => {
      const path = pathOf(request);
      if (path === "/api/" || !/^\/+api\/$/i.test(path)) return request;
      return respond(308, {}, { Location: `/api/?${request.target.split("?")[1] ?? ""}` });
    },
  },
  {
    id: "credentials/shown-in-redirect-from-header",
    area,
    description: "Adds the key of the header to the address it redirects to.",
    requirements: ["credentials/never-shown"],
    catches: [refused],
    reason: /Location/,
    answer: (answer, request) =>
      answer.status === 308 && header(request, "X-API-KEY")
        ? withHeader(answer, "Location", `${header(answer, "Location")}&key=${header(request, "X-API-KEY")}`)
        : answer,
  },
  {
    id: "credentials/shown-in-link",
    area,
    description: "Keeps the credentials of the query in Link.",
    requirements: ["credentials/never-shown", "user.list/link"],
    catches: [
      "credentials/never-shown#user.list",
      "user.list/link#leads-on",
      "user.list/link#mixed-placements",
      "user.list/link#last-page",
    ],
    reason: /header Link|without credentials/,
    answer: (answer, request) => {
      const link = header(answer, "Link");
      const key = inQuery(request, "X-API-KEY");
      if (operationOf(request) !== "user.list" || link === null || key === null) return answer;
      return withHeader(answer, "Link", link.replace(">", `&X-API-KEY=${encodeURIComponent(key)}>`));
    },
  },
];
