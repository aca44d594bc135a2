import type { Defect } from "../../defect.ts";
import { namedIn } from "../../look.ts";
import { withJson } from "../../shape.ts";
import { problemsWith, requestOf } from "../../when.ts";
import { checksOf, commands, dropping, queries, renaming } from "./words.ts";

const area = "unknown input";
const PROTOTYPE = /^(?:constructor|toString|valueOf|hasOwnProperty|__proto__|__defineGetter__|prototype)$/;
const MEMBERS = ["name", "email"];

const parameters = { area, requirements: ["input/unknown-parameter"], reason: /422/ };

export const unknownParameterDefects: readonly Defect[] = [
  {
    ...parameters,
    id: "input/unknown-parameters-ignored",
    description: "Ignores parameters that it does not know.",
    catches: [...checksOf("input/unknown-parameter", queries), ...checksOf("input/unknown-parameter", queries, "-odd")],
    request: dropping(() => true),
  },
  {
    ...parameters,
    id: "input/prototype-parameters",
    description: "Finds parameters such as `constructor` in every schema.",
    catches: checksOf("input/unknown-parameter", queries),
    request: dropping((name) => PROTOTYPE.test(name)),
  },
  {
    ...parameters,
    id: "input/empty-parameters-ignored",
    description: "Ignores unknown parameters without a value.",
    catches: checksOf("input/unknown-parameter", queries, "-odd"),
    request: dropping((_name, value) => value === ""),
  },
  {
    ...parameters,
    id: "input/unknown-on-head-ignored",
    description: "Judges no parameters on HEAD.",
    catches: checksOf("input/unknown-parameter", queries, "-odd"),
    request: (request) => (request.method === "HEAD" ? dropping(() => true)(request) : request),
  },
  {
    ...parameters,
    id: "input/credentials-in-any-case",
    description: "Knows the credentials in a query in any letter case.",
    catches: checksOf("input/unknown-parameter", queries),
    request: dropping((name) => /^x-(?:api-key|platform)$/i.test(name)),
  },
  {
    ...parameters,
    id: "input/common-parameters-ignored",
    description: "Ignores parameters that other interfaces have, such as `page`, `offset` and `_`.",
    catches: checksOf("input/unknown-parameter", queries),
    request: dropping((name) => /^(?:_|page|offset|version)$/.test(name)),
  },
  {
    ...parameters,
    id: "input/parameters-of-any-operation",
    description: "Knows the parameters of every operation everywhere.",
    catches: checksOf(
      "input/unknown-parameter",
      queries.filter((id) => id !== "user.list"),
    ),
    request: dropping((name) => name === "limit" || name === "cursor"),
  },
  {
    ...parameters,
    id: "input/tracking-ignored",
    description: "Ignores the parameters that campaigns, caches and gateways add.",
    catches: checksOf("input/unknown-parameter", queries),
    request: dropping((name) => /^(?:utm_\w+|callback|format|debug|X-Request-Id)$/.test(name)),
  },
  {
    ...parameters,
    id: "input/unjudged-without-schema",
    description: "Judges no parameters of operations that take none.",
    catches: checksOf(
      "input/unknown-parameter",
      queries.filter((id) => id !== "user.list" && id !== "docs.get"),
    ),
    request: (request, context) =>
      ["sysinfo", "test.health", "docs.list"].reduce(
        (changed, name) =>
          requestOf(
            name,
            dropping(() => true),
          )(changed as never, context) as never,
        request,
      ),
  },
  ...(
    [
      ["parameter-named", "Names an unknown parameter in the detail.", queries, /nothing of/, "takes no zq7stranger"],
      ["allowed-parameters-not-named", "Does not say which parameters are allowed.", ["user.list"], /limit/, "unknown"],
      [
        "parts-allowed",
        "Says that the part of a name is a parameter.",
        ["docs.get"],
        /without name/,
        "takes only name",
      ],
    ] as const
  ).map(
    ([id, description, of, reason, detail]): Defect => ({
      area,
      id: `input/${id}`,
      description,
      requirements: ["input/unknown-not-named"],
      catches: checksOf("input/unknown-not-named", of),
      reason,
      answer: problemsWith("invalid-input", (answer, request) =>
        of.some((operation) => (namedIn(request) ?? "").startsWith(operation))
          ? withJson(answer, (json) => ({ ...json, errors: [{ pointer: "#", detail }] }))
          : answer,
      ),
    }),
  ),
  {
    ...parameters,
    id: "input/parts-as-parameters",
    description: "Knows the name of a document as a parameter too.",
    catches: ["input/unknown-parameter#docs.get"],
    request: dropping((name) => name === "name"),
  },
  {
    ...parameters,
    id: "input/parameters-in-any-case",
    description: "Knows its parameters in any letter case.",
    catches: ["input/unknown-parameter#user.list"],
    request: renaming((name) => name.toLowerCase()),
  },
  {
    ...parameters,
    id: "input/parameters-trimmed",
    description: "Strips blanks around the names of parameters.",
    catches: ["input/unknown-parameter#user.list"],
    request: renaming((name) => name.trim()),
  },
  {
    ...parameters,
    id: "input/parameters-as-arrays",
    description: "Takes `limit[]` for `limit`.",
    catches: ["input/unknown-parameter#user.list"],
    request: renaming((name) => name.replace(/\[\d*\]$/, "")),
  },
  {
    area,
    id: "input/post-query-ignored",
    description: "Ignores the query of a POST.",
    requirements: ["input/post-query"],
    catches: checksOf("input/post-query", commands),
    reason: /422/,
    request: (request) => (request.method === "POST" ? dropping(() => true)(request) : request),
  },
  {
    area,
    id: "input/post-query-members-allowed",
    description: "Lets the query of a POST have what data has too.",
    requirements: ["input/post-query"],
    catches: checksOf("input/post-query", commands),
    reason: /422 .*"(?:name|email)"/,
    request: (request) => (request.method === "POST" ? dropping((name) => MEMBERS.includes(name))(request) : request),
  },
  {
    area,
    id: "input/post-query-empty-ignored",
    description: "Ignores parameters of a POST without a value.",
    requirements: ["input/post-query"],
    catches: checksOf("input/post-query", commands),
    reason: /422 .*unknown/,
    request: (request) => (request.method === "POST" ? dropping((_name, value) => value === "")(request) : request),
  },
];
