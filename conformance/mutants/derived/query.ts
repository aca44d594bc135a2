import { every } from "../../client/operation.ts";
import { type Mutant, takesFor } from "../mutant.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { withQuery } from "../proxy/shape.ts";
import { called, isPost, KEY, PLATFORM, type Repair } from "../requests.ts";

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

export const mutants: readonly Mutant[] = [...searched, ...repeated];
