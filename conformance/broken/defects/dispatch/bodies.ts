import type { Defect } from "../../defect.ts";
import { header, jsonBody, namedIn } from "../../look.ts";
import { respondProblem, withHeader, withJsonBody, withQuery } from "../../shape.ts";

const area = "dispatch";

export const bodyDefects: readonly Defect[] = [
  {
    id: "dispatch/body-names-on-get",
    area,
    description: "Reads the operation of a GET from a JSON body when the query has none.",
    requirements: ["dispatch/query-style", "dispatch/body-on-get"],
    catches: ["dispatch/query-style#not-by-body", "dispatch/body-on-get#no-name-in-it"],
    reason: /refusal|400/,
    request: (request) => {
      const name = jsonBody(request)?.["@"];
      if (request.method !== "GET" || typeof name !== "string" || namedIn(request) !== null) return request;
      return withQuery(request, (query) => query.set("@", name));
    },
  },
  {
    id: "dispatch/at-must-be-first-member",
    area,
    description: "Takes a body only when `@` is its first member.",
    requirements: ["dispatch/body-style"],
    catches: ["dispatch/body-style#members"],
    reason: /acceptance/,
    request: (request) => {
      const [first] = Object.keys(jsonBody(request) ?? {});
      return request.method === "POST" && first === "data" ? respondProblem(400, "operation-missing") : request;
    },
  },
  {
    id: "dispatch/body-searched",
    area,
    description: "Looks for `@` in the text of a body.",
    requirements: ["dispatch/body-style"],
    catches: ["dispatch/body-style#members"],
    reason: /acceptance/,
    request: (request) =>
      request.method === "POST" && jsonBody(request) && !request.body.includes('"@"')
        ? respondProblem(400, "operation-missing")
        : request,
  },
  {
    id: "dispatch/input-beside-at",
    area,
    description: "Takes the input from beside `@` when there is no `data`.",
    requirements: ["dispatch/body-style"],
    catches: ["dispatch/body-style#input-in-data"],
    reason: /refusal/,
    request: (request) =>
      withJsonBody(request, ({ "@": name, ...rest }) =>
        rest.data === undefined ? { "@": name, data: rest } : { "@": name, ...rest },
      ),
  },
  {
    id: "dispatch/data-as-text",
    area,
    description: "Takes `data` that is JSON in a string.",
    requirements: ["dispatch/body-style"],
    catches: ["dispatch/body-style#input-in-data"],
    reason: /refusal/,
    request: (request) =>
      withJsonBody(request, (body) =>
        typeof body.data === "string" && body.data.startsWith("{") ? { ...body, data: JSON.parse(body.data) } : body,
      ),
  },
  {
    id: "dispatch/form-body",
    area,
    description: "Takes a form as a body.",
    requirements: ["dispatch/body-style"],
    catches: ["dispatch/body-style#json-only"],
    reason: /form-urlencoded/,
    request: (request) => {
      if (request.method !== "POST" || !header(request, "Content-Type")?.includes("form-urlencoded")) return request;
      const { "@": name, name: person, email } = Object.fromEntries(new URLSearchParams(request.body.toString()));
      const body = Buffer.from(JSON.stringify({ "@": name, data: { name: person, email } }));
      return { ...withHeader(request, "Content-Type", "application/json"), body };
    },
  },
  {
    id: "dispatch/multipart-body",
    area,
    description: "Takes the parts of a multipart form as a body.",
    requirements: ["dispatch/body-style"],
    catches: ["dispatch/body-style#json-only"],
    reason: /multipart/,
    request: (request) => {
      if (!header(request, "Content-Type")?.startsWith("multipart/")) return request;
      const parts = [...request.body.toString().matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)/g)];
      const { "@": name, name: person, email } = Object.fromEntries(parts.map(([, field, value]) => [field, value]));
      const body = Buffer.from(JSON.stringify({ "@": name, data: { name: person, email } }));
      return { ...withHeader(request, "Content-Type", "application/json"), body };
    },
  },
];
