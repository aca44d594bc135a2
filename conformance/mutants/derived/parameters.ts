import { commands, every, operationCalled } from "../../client/operation.ts";
import { type Mutant, takesFor } from "../mutant.ts";
import { header, isObject, type JsonObject, queryOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { withData, withJsonBody, withQuery } from "../proxy/shape.ts";
import { called, inputOf, isPost, KEY, of, PLATFORM, type Repair, withInput } from "../requests.ts";
import { parse } from "./bodies.ts";
import { readers } from "./dispatch.ts";

/** Broken reading of a query, and of what is sent twice (D2). */

/** How another parser reads a query. */
const searches: Readonly<Record<string, (search: string) => string>> = {
  "to the second equals sign": (search) => search.replace(/(^|&)([^=&]*=[^=&]+)=[^&]*/g, "$1$2"),
  "to the second question mark": (search) => search.replace(/\?.*$/s, ""),
  "with semicolons between": (search) => search.replaceAll(";", "&"),
  "to the thousandth parameter": (search) => search.split("&").slice(0, 1_000).join("&"),
  "with + for itself": (search) => search.replaceAll("+", "%2B"),
  "with %2B for a blank": (search) => search.replaceAll("%2B", "%20"),
  "with the first + of a name for a blank": (search) =>
    search.replace(/(?<=(?:^|&)[^&=+]*\+[^&=]*)\+(?=[^&=]*=)/g, "%2B"),
  "without + at the ends": (search) => search.replace(/=\++/g, "=").replace(/\++(&|$)/g, "$1"),
  "passing over what is no escape": (search) => (/%/.test(search) ? String(new URLSearchParams(search)) : search),
  "without parameters that have no value": (search) => search.replace(/&[^=&]+(?=&|$)/g, ""),
};

const searched = Object.entries(searches).map(([how, read]) =>
  takesFor(`reads a query ${how}`, (request) => {
    const [path = "", ...rest] = request.target.split("?");
    const search = rest.join("?");
    return read(search) === search ? request : { ...request, target: `${path}?${read(search)}` };
  }),
);

const isCredential = (name: string) => [KEY, PLATFORM].some((one) => one.toLowerCase() === name.toLowerCase());

/** What is sent twice, taken once. */
const onceOf =
  (test: (name: string) => boolean): Repair =>
  (request) =>
    withQuery(request, (query) => {
      for (const name of new Set(query.keys())) if (test(name)) query.set(name, query.get(name) ?? "");
    });

const onceInHead = (id: string, test: (request: ProxyRequest, one: string, other: string) => boolean) =>
  takesFor(`takes the first of two credential fields ${id}`, (request) => {
    const firsts = new Map([...request.headers].reverse().map(([name, value]) => [name.toLowerCase(), value]));
    const headers = request.headers.filter(([name, value], index) => {
      const first = request.headers.findIndex(([each]) => each.toLowerCase() === name.toLowerCase());
      return index === first || !isCredential(name) || !test(request, firsts.get(name.toLowerCase()) ?? "", value);
    });
    return headers.length === request.headers.length ? request : { ...request, headers };
  });

const repeated: readonly Mutant[] = [
  takesFor(
    "takes the first of several unknown parameters",
    onceOf((name) => name !== "@" && !isCredential(name) && !every.some(({ input }) => Object.hasOwn(input, name))),
  ),
  onceInHead("of HEAD", ({ method }) => method === "HEAD"),
  onceInHead("of POST", isPost),
  onceInHead("of a public operation", (request) => called(request)?.auth === false),
  onceInHead("of no operation", (request) => called(request) === null),
  onceInHead("that are equal", (_request, one, other) => one === other),
];

/** Broken reading of the names of parameters and members: taken for one that is known, or passed over. */

const names: readonly (readonly [how: string, read: (name: string) => string])[] = [
  ...["trimmed", "in lower case", "as it folds", "decoded twice", "without controls", "up to a NUL"].map(
    (how) => [how, readers[how] ?? String] as const,
  ),
  ["in upper case", (name) => name.toUpperCase()],
  ["without brackets", (name) => name.replace(/\[\d*\]$/, "")],
  ["without a repeated sign", (name) => name.replace(/^(.)\1+$/u, "$1")],
];

/** What is not known here under another name; where that is there already, it counts. */
function renamed(object: JsonObject, known: readonly string[], read: (name: string) => string): JsonObject {
  const better = (name: string) => (!known.includes(name) && known.includes(read(name)) ? read(name) : name);
  return {
    ...Object.fromEntries(Object.entries(object).map(([name, value]) => [better(name), value])),
    ...pick(object, known),
  };
}

const pick = (object: JsonObject, names: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));

const parametersOf: (request: Parameters<Repair>[0]) => string[] = (request) => {
  const operation = called(request);
  return ["@", KEY, PLATFORM, ...(operation?.method === "GET" ? Object.keys(operation.input) : [])];
};

const ENVELOPE = ["@", "data"];
const membersOf = ({ "@": name }: JsonObject) =>
  Object.keys((typeof name === "string" && operationCalled(name)?.input) || {});

const misread = names.flatMap(([how, read]): Mutant[] => [
  takesFor(`reads the names of parameters ${how}`, (request) =>
    withQuery(request, (query) => {
      const known = parametersOf(request);
      for (const [name, value] of [...query]) {
        if (known.includes(name) || !known.includes(read(name))) continue;
        query.delete(name);
        if (!query.has(read(name))) query.set(read(name), value);
      }
    }),
  ),
  // No member has a capital letter: nothing would be taken for one.
  ...(how === "in upper case" ? [] : [membersRead(how, read)]),
]);

function membersRead(how: string, read: (name: string) => string): Mutant {
  return takesFor(`reads the names of members ${how}`, (request) =>
    isPost(request)
      ? withJsonBody(request, (body) => {
          const { data, ...outer } = renamed(body, ENVELOPE, read);
          if (data === undefined) return outer;
          return { ...outer, data: isObject(data) ? renamed(data, membersOf(outer), read) : data };
        })
      : request,
  );
}

/** What somebody may find too unimportant to refuse. */
const strangers: Readonly<Record<string, (name: string, value: unknown) => boolean>> = {
  "that objects have anyway": (name) => name in {},
  "without a value": (_name, value) => value === "" || value === null,
  "of other operations": (name) => every.some(({ input }) => Object.hasOwn(input, name)),
  "of one letter": (name) => name.length === 1,
  "with a sign before": (name) => /^[^\w@]|^_/.test(name),
};

const without = (object: JsonObject, known: readonly string[], test: (name: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => known.includes(name) || !test(name, value)));

/** Passes over what a query has that its operation does not take. */
export const passing =
  (test: (name: string, value: string) => boolean): Repair =>
  (request) =>
    called(request) === null
      ? request
      : withQuery(request, (query) => {
          const known = parametersOf(request);
          for (const [name, value] of [...query]) if (!known.includes(name) && test(name, value)) query.delete(name);
        });

const passedOver = Object.entries(strangers).flatMap(([what, test]): Mutant[] => [
  takesFor(`passes over parameters ${what}`, passing(test)),
  takesFor(`passes over members ${what}`, (request) =>
    isPost(request)
      ? withJsonBody(request, (body) => {
          const outer = without(body, ENVELOPE, test);
          return isObject(outer.data) ? { ...outer, data: without(outer.data, membersOf(outer), test) } : outer;
        })
      : request,
  ),
]);

/** Where else the input of a command may be found. */
const elsewhere: Readonly<Record<string, (body: JsonObject) => unknown>> = {
  "in a text": ({ data }) => (typeof data === "string" ? (parse(data) ?? data) : data),
  "in a list": ({ data }) => (Array.isArray(data) ? data[0] : data),
  "in a list of pairs": ({ data }) =>
    Array.isArray(data) && data.every(Array.isArray)
      ? Object.fromEntries(data.map(([name, value]) => [name, value]))
      : data,
  "within data": ({ data }) => (isObject(data) && isObject(data.data) ? data.data : data),
  "in what data inherits": ({ data }) => {
    if (!isObject(data)) return data;
    const { constructor: made, prototype, ...own } = data;
    return Object.assign({}, isObject(made) ? made : {}, isObject(prototype) ? prototype : {}, own);
  },
  "by another name": ({ "@": _name, data, ...rest }) => data ?? Object.values(rest).find(isObject),
};

const found = commands.flatMap((operation): Mutant[] => {
  const members = Object.keys(operation.input);
  return [
    ...Object.entries(elsewhere).map(([where, look]) =>
      takesFor(
        `${operation.id} finds its input ${where}`,
        of(operation, (request) =>
          withJsonBody(request, (body) => ({
            "@": body["@"],
            ...(look(body) === undefined ? {} : { data: look(body) }),
          })),
        ),
      ),
    ),
    takesFor(
      `${operation.id} prefers the input of the query`,
      of(operation, (request) => {
        const query = queryOf(request);
        const given = members.filter((member) => query.has(member) && inputOf(request, member) !== undefined);
        const bare = withQuery(request, (all) => {
          for (const member of given) all.delete(member);
        });
        return given.reduce((changed, member) => withInput(changed, member, query.get(member)), bare);
      }),
    ),
    takesFor(
      `${operation.id} finds its input in header fields`,
      of(operation, (request) => {
        const fields = members.filter((member) => header(request, member) !== null);
        return withData(request, (data) => ({
          ...data,
          ...Object.fromEntries(fields.map((member) => [member, header(request, member)])),
        }));
      }),
    ),
  ];
});

export const mutants: readonly Mutant[] = [...searched, ...repeated, ...misread, ...passedOver, ...found];
