import type { Defect, ProxyRequest } from "../../defect.ts";
import { isObject, jsonBody, operationOf, queryOf } from "../../look.ts";
import { respondProblem, withData, withJsonBody, withQuery } from "../../shape.ts";
import { problemsWith, requestOf } from "../../when.ts";
import { parse } from "../body/words.ts";

const missing = { area: "missing input", requirements: ["input/missing-member"], reason: /422/ };
const types = { area: "types", requirements: ["input/wrong-type"], reason: /422/ };

const member = "input/missing-member#user.create";
const data = "input/missing-member#user.create-data";
const wrongName = "input/wrong-type#user.create-name";
const wrongEmail = "input/wrong-type#user.create-email";
const wrongData = "input/wrong-type#user.create-data";

/** Another value for a member of data, where it has one. */
const converting = (name: string, change: (value: unknown) => unknown) => (request: ProxyRequest) =>
  withData(request, (given) => (Object.hasOwn(given, name) ? { ...given, [name]: change(given[name]) } : given));

export const valueDefects: readonly Defect[] = [
  {
    ...missing,
    id: "input/name-defaulted",
    description: "Calls a user without a name Unknown.",
    catches: [member],
    request: requestOf("user.create", (request) => withData(request, (given) => ({ name: "Unknown", ...given }))),
  },
  {
    ...missing,
    id: "input/inner-data",
    description: "Takes data inside data.",
    catches: [member],
    request: (request) => withData(request, (given) => (isObject(given.data) ? given.data : given)),
  },
  {
    ...missing,
    id: "input/members-from-constructor",
    description: "Finds required members in `constructor` and `prototype`.",
    catches: [member],
    request: (request) =>
      withData(request, (given) => {
        const lent = [given.constructor, given.prototype].filter(isObject);
        const own = Object.entries(given).filter(([name]) => name !== "constructor" && name !== "prototype");
        return Object.assign({}, ...lent, Object.fromEntries(own));
      }),
  },
  {
    ...missing,
    id: "input/data-beside",
    description: "Takes the members of data from beside @.",
    catches: [data],
    request: (request) =>
      withJsonBody(request, ({ "@": name, ...rest }) =>
        rest.data === undefined && rest.email !== undefined ? { "@": name, data: rest } : { "@": name, ...rest },
      ),
  },
  {
    ...missing,
    id: "input/data-aliases",
    description: "Takes `input` and `Data` for data.",
    catches: [data],
    request: (request) =>
      withJsonBody(request, ({ input, Data, ...rest }) => {
        const alias = input ?? Data;
        return alias === undefined ? rest : { ...rest, data: alias };
      }),
  },
  {
    ...missing,
    id: "input/data-from-query",
    description: "Takes data from the query where the body has none.",
    catches: [data],
    request: requestOf("user.create", (request) => {
      const { name, email } = Object.fromEntries(queryOf(request));
      if (email === undefined || jsonBody(request)?.data !== undefined) return request;
      const bare = withQuery(request, (query) => {
        for (const each of ["name", "email"]) query.delete(each);
      });
      return withJsonBody(bare, (body) => ({ ...body, data: { name, email } }));
    }),
  },
  {
    ...missing,
    id: "input/missing-as-400",
    description: "Answers 400 where data is missing.",
    catches: [data],
    answer: (answer, request) =>
      answer.status === 422 && jsonBody(request) !== null && jsonBody(request)?.data === undefined
        ? respondProblem(400, "malformed-json")
        : answer,
  },
  {
    ...missing,
    id: "input/missing-as-500",
    description: "Reads a member of data that is not there.",
    requirements: ["input/missing-member", "errors/never-500"],
    catches: [data],
    answer: (answer, request) =>
      operationOf(request) === "user.create" && jsonBody(request)?.data === undefined
        ? respondProblem(500, "internal-error")
        : answer,
  },
  {
    ...types,
    id: "input/numbers-converted",
    description: "Makes text of numbers and booleans.",
    catches: [wrongName],
    request: converting("name", (value) =>
      typeof value === "number" || typeof value === "boolean" ? String(value) : value,
    ),
  },
  {
    ...types,
    id: "input/arrays-converted",
    description: "Makes text of an array with one text.",
    catches: [wrongName, wrongEmail],
    request: (request) =>
      ["name", "email"].reduce(
        (changed, name) =>
          converting(name, (value) => (Array.isArray(value) && value.length === 1 ? String(value[0]) : value))(changed),
        request,
      ),
  },
  {
    ...types,
    id: "input/null-converted",
    description: "Makes text of null.",
    catches: [wrongName],
    request: converting("name", (value) => (value === null ? "null" : value)),
  },
  {
    ...types,
    id: "input/objects-converted",
    description: "Takes the value of an object for a text.",
    catches: [wrongName, wrongEmail],
    request: (request) =>
      ["name", "email"].reduce(
        (changed, name) =>
          converting(name, (value) => (isObject(value) && typeof value.value === "string" ? value.value : value))(
            changed,
          ),
        request,
      ),
  },
  {
    ...types,
    id: "input/wrong-type-as-400",
    description: "Answers 400 to a member of a wrong type.",
    catches: [wrongName, wrongEmail],
    answer: problemsWith("invalid-input", (answer, request) => {
      const given = jsonBody(request)?.data;
      return isObject(given) && Object.values(given).some((value) => typeof value !== "string")
        ? respondProblem(400, "malformed-json")
        : answer;
    }),
  },
  {
    ...types,
    id: "input/data-as-text",
    description: "Takes data that is JSON in a text.",
    catches: [wrongData],
    request: (request) =>
      withJsonBody(request, (body) =>
        typeof body.data === "string" ? { ...body, data: parse(body.data) ?? body.data } : body,
      ),
  },
  {
    ...types,
    id: "input/data-as-list",
    description: "Takes the first of several data.",
    catches: [wrongData],
    request: (request) =>
      withJsonBody(request, (body) =>
        Array.isArray(body.data) && isObject(body.data[0]) ? { ...body, data: body.data[0] } : body,
      ),
  },
];
