import type { Reply } from "../../client/reply.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { BROWSER, MARKUP, TOLD } from "../../laws/html.ts";
import { mediaTypesOf } from "../../oracle/contract.ts";
import { fieldsOf, type Request } from "../../oracle/world.ts";
import { type Asking, type Case, checksOf, type List } from "../list.ts";
import { again, CODINGS } from "../published/list.ts";

/** Documents (D30, D31): names, formats, codings and cached copies. */

const words = (text: string) => text.split(" ");
const swapped = (name: string) =>
  name.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** Valid for the pattern, but missing: similar to an entry, at the bounds of the length, and names in a map or a folder. */
const absent = (names: readonly string[]): readonly string[] => [
  ...[...words("no-such a 0 A_b-9 a- a_"), "a".repeat(64), `R${"-".repeat(63)}`],
  ...names.flatMap((name) => [name.toLowerCase(), name.toUpperCase(), swapped(name), `${name}1`, name.slice(0, -1)]),
  ...names.map((name) => name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()),
  ...words("README- READMEREADME README_md docs package LICENSE index main CON src node_modules"),
  ...words("constructor toString hasOwnProperty valueOf prototype"),
];

/** Invalid for the pattern, each as written in the query: paths, files, other first characters, blanks, letters, lengths. */
const OUTSIDE: readonly string[] = [
  ...words("../README ../../../../../etc/passwd /etc/passwd ./README README/ a/b .. reference/../README"),
  ...words("%2e%2e%2fREADME ..%2fREADME %2fetc%2fpasswd ..%5cREADME %252e%252e%252fREADME %252e%252e/README"),
  ...words("README.md CHANGELOG.md package.json .env .git README. README%00 README%00.md"),
  ...words("-x _x -README _README __proto__ .README README;x README* * %7Bname%7D %3Cname%3E README~ README:"),
  ...words("README,reference README@ READ%25ME %20README README%20 +README README%0A README%0D%0A READ%20ME"),
  ...words("%09README README%C2%A0 R%C3%89ADME %EF%BC%B2EADME README%E2%80%8B %D0%90README README%CC%81"),
  ...["README%E2%82%AC", "", "a".repeat(65), `README${"-".repeat(59)}`, "a".repeat(1000)],
];

const PREFERRING_JSON = [
  ...["application/json; charset=utf-8", "application/json, text/markdown;q=0.9", "text/*;q=0.2, */*;q=0.8"],
  ...["text/html;q=0.3, text/plain;q=0.4, application/json;q=0.5", "text/markdown;q=0.999, application/json"],
  ...["text/markdown;q=0, application/json;q=0.001", "application/*, text/*;q=0.5", "text/*;q=0, */*"],
];
const preferring = (format: string, others: readonly string[]): readonly string[] => [
  ...[format, format.toUpperCase(), `${format};charset=utf-8`, `*/*;q=0.1, ${format}`],
  ...[`${format}, application/json;q=0.9`, `application/json;q=0.5, ${format};q=0.6`],
  `application/json;q=0.999, text/*;q=0.5, ${format}`,
  `application/json;q=0, ${others.map((other) => `${other};q=0.1`).join(", ")}, ${format};q=0.2`,
];
/** The more specific range decides for its type, in any position. */
const MIXED = [
  ...[BROWSER, "text/*", "application/json;q=0.5, text/*", "application/json;q=0, */*"],
  ...["text/*, text/markdown;q=0.1, text/plain;q=0.1", "text/plain;q=0, text/*, text/markdown;q=0"],
];

/** Accepted codings, in spellings that servers misread. */
const ENCODINGS = [
  ...["gzip, br", "gzip", "br", "deflate", "GZIP;q=0.5", "identity", "gzip;q=0", "gzip;q=0, br;q=0", "br;q=0, gzip"],
  ...["gzip;q=0.0, br;q=0.5", "*;q=0, gzip", "x-no-such-coding", "xgzip, brotli"],
];

function documentsOf({ api, oracle, model }: Asking) {
  const operation = oracle.contract.operations["docs.get"];
  const names = [...(model.names.get("docs.get") ?? operation?.known ?? [])].map((one) =>
    one.slice("docs.get.".length),
  );
  const get = (name: string, headers: Request["fields"] = [], method = "GET") =>
    wireOfLiteral(api, { method, target: `/api/?@=docs.get.${name}`, headers });
  const [json = "", ...texts] = operation ? mediaTypesOf(operation) : [];
  return { operation, names, entry: String(operation?.example.name), get, json, texts, formats: [json, ...texts] };
}

const documents: List = function* (asking): Generator<Case> {
  const { operation, names, entry, get, texts, formats } = documentsOf(asking);
  if (!operation || !asking.operations.includes(operation)) return;
  const { operations } = asking.oracle.contract;
  if (operations["docs.list"])
    yield ["docs.list/public", asking.call(operations["docs.list"], { credentials: "none" })];
  for (const name of names) for (const accept of formats) yield ["docs.get/public", get(name, [["Accept", accept]])];
  for (const accept of PREFERRING_JSON) yield ["docs.get/json", get(entry, [["Accept", accept]])];
  const accepts = texts.flatMap((format) =>
    preferring(
      format,
      texts.filter((other) => other !== format),
    ),
  );
  for (const accept of [...accepts, ...MIXED]) yield ["docs.get/formats", get(entry, [["Accept", accept]])];
  for (const accept of formats)
    for (const encoding of ENCODINGS) {
      const headers = [
        ["Accept", accept],
        ["Accept-Encoding", encoding],
      ] as const;
      const all = /^(gzip|br)$/.test(encoding) ? names : [entry];
      for (const name of all) yield ["docs.get/compressed", get(name, headers)];
    }
  for (const name of new Set(absent(names))) if (!names.includes(name)) yield ["docs.get/absent", get(name)];
  for (const headers of [...formats, BROWSER].map((accept) => [["Accept", accept]] as const))
    yield ["docs.get/absent", get("no-such", headers)];
  yield ["docs.get/absent", get("no-such", [["If-None-Match", "*"]])];
  yield ["docs.get/absent", get("no-such", [], "HEAD")];
  for (const name of [entry, ...OUTSIDE]) yield ["docs.get/name-pattern", get(name)];
  // Credentials are ignored on a public operation, whatever their value: the page has nothing of them.
  const markup = { header: MARKUP };
  const html = {
    input: { name: entry },
    accept: "text/html",
    headers: Object.fromEntries(TOLD.map((one) => [one, MARKUP])),
  };
  for (const place of [markup, { query: MARKUP }])
    yield ["docs.get/html-safe", asking.call(operation, { ...html, credentials: { key: place, platform: place } })];
};

/**
 * Conditions about the caller's copy (RFC 9110, 13.1): a list, in two lines as well, weak comparison, `*` for anything; old
 * dates.
 */
function conditionsOf(tag: string): readonly Request["fields"][] {
  const bare = tag.slice(1, -1);
  const lists = [`${tag},"other"`, `"a,b" , W/"c",${tag}`, `W/${tag}`, "*"];
  const others = ['"other", W/"another"', `"${bare}x"`, `"x${bare}"`, `"${bare.slice(0, -1)}"`, '""'];
  const since = ["If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"] as const;
  return [
    ...[...lists, ...others].map((value) => [["If-None-Match", value]] as const),
    ...[
      ['"other"', tag],
      [tag, '"other"'],
    ].map((lines) => lines.map((line) => ["If-None-Match", line] as const)),
    [since, ["If-None-Match", '"other"']],
    [["If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"]],
  ];
}

/**
 * Each representation with its own tag, and with those of the others: the other formats in one list, the other codings one by
 * one.
 */
const copies: List = function* (asking): Generator<Case, void, Reply | undefined> {
  const of = "docs.get/not-modified";
  const { operation, names, entry, get, formats } = documentsOf(asking);
  if (!operation || !asking.operations.includes(operation)) return;
  const fields = formats.flatMap((accept) =>
    CODINGS.map(
      (coding) =>
        [
          ["Accept", accept],
          ["Accept-Encoding", coding],
        ] as const,
    ),
  );
  const all: { readonly own: Request["fields"]; readonly tag: string }[] = [];
  for (const own of fields) {
    const tag = yield* again(of, (headers = [], method = "GET") => get(entry, [...own, ...headers], method));
    all.push({ own, tag });
  }
  for (const { own, tag } of all) {
    const [accept] = fieldsOf(own, "Accept");
    const others = all.filter((one) => one.tag !== tag);
    const alike = others.filter((one) => fieldsOf(one.own, "Accept")[0] === accept).map((one) => one.tag);
    const unlike = others.filter((one) => fieldsOf(one.own, "Accept")[0] !== accept).map((one) => one.tag);
    for (const value of new Set([unlike.join(", "), ...alike]))
      yield [of, get(entry, [...own, ["If-None-Match", value]])];
  }
  for (const name of names) {
    const reply = yield [of, get(name)];
    yield [of, get(name, [["If-None-Match", reply?.header("etag") ?? '"tag"']])];
  }
  for (const headers of conditionsOf(all[0]?.tag ?? '"tag"')) yield [of, get(entry, headers)];
};

export const documentLists = [
  ...checksOf(
    [
      ...["docs.list/public", "docs.get/public", "docs.get/json", "docs.get/formats", "docs.get/compressed"],
      ...["docs.get/absent", "docs.get/name-pattern", "docs.get/html-safe"],
    ],
    documents,
  ),
  ...checksOf(["docs.get/not-modified"], copies),
];
