import { expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { check } from "../check.ts";
import { documentNames, ENTRY, entries, FORMATS, getDocument, knownNames } from "./document.ts";

const capitalised = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase();
const swapped = (name: string) =>
  name.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const otherCases = (name: string) => [name.toLowerCase(), name.toUpperCase(), capitalised(name), swapped(name)];

/** Inside the pattern, but not there: like an entry, of the longest length, and what a map or a folder may hold. */
const absent = (runId: string, names: readonly string[]): readonly string[] => [
  ...[`no-${runId}`, "a", "0", "A_b-9", "a-", "a_", "a".repeat(64), `R${"-".repeat(63)}`],
  ...names.flatMap(otherCases),
  ..."READM README1 README- READMEREADME README_md docs package LICENSE index main CON src node_modules".split(" "),
  ...["constructor", "toString", "hasOwnProperty", "valueOf", "prototype"],
];

/** Outside the pattern, each as it stands in the query: paths, files, other first characters, blanks, letters, lengths. */
const outside: readonly string[] = [
  ..."../README ../../../../../etc/passwd /etc/passwd ./README README/ a/b .. reference/../README".split(" "),
  ..."%2e%2e%2fREADME ..%2fREADME %2fetc%2fpasswd ..%5cREADME %252e%252e%252fREADME %252e%252e/README".split(" "),
  ..."README.md CHANGELOG.md package.json .env .git README. README%00 README%00.md".split(" "),
  ..."-x _x -README _README __proto__ .README".split(" "),
  ..."README;x README* * %7Bname%7D %3Cname%3E README~ README: README,reference README@ READ%25ME".split(" "),
  ..."%20README README%20 +README README%0A README%0D%0A READ%20ME %09README README%C2%A0".split(" "),
  ..."R%C3%89ADME %EF%BC%B2EADME README%E2%80%8B %D0%90README README%CC%81 README%E2%82%AC".split(" "),
  ...["", "a".repeat(65), `README${"-".repeat(59)}`, "a".repeat(1000)],
];

/** `docs.list`: the entries, and that each is what the list says; names of none (D30, D31). */
export const docsEntries = [
  check("docs.list/public", {}, async (api) => {
    expectSuccess(await api.call("docs.list", { credentials: "none" }), "docs.list");
  }),
  check("docs.list/items", {}, async (api) => {
    for (const { name, operation } of await entries(api)) {
      if (operation !== `docs.get.${name}`)
        fail("body:/items/*/operation", `the operation docs.get.${name}`, operation);
    }
  }),
  check("docs.list/entries", {}, async (api) => {
    const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
    const names = items.map(({ name }) => name);
    const missing = knownNames.filter((name) => !names.includes(name));
    if (missing.length > 0) fail("body:/items", `the entries ${knownNames.join(", ")}`, `no ${missing.join(", no ")}`);
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    if (twice.length > 0) fail("body:/items", "each entry once", `${twice.join(", ")} more than once`);
  }),
  check("docs.list/each-there", {}, async (api) => {
    for (const { operation, ...listed } of await entries(api)) {
      const document = expectSuccess(await api.call(operation, { credentials: "none" }), "docs.get");
      for (const member of ["name", "title", "mediaType"] as const)
        if (document[member] !== listed[member])
          fail(`body:/${member}`, `${operation} with the ${member} ${excerpt(listed[member])}`, document[member]);
    }
  }),
  check("docs.list/size", {}, async (api) => {
    for (const { name, size } of await entries(api)) {
      const { length } = (await getDocument(api, name, { accept: "text/markdown" })).body;
      if (size !== length) fail("body:/items/*/size", `${name} with the size of its Markdown, ${length}`, `${size}`);
    }
  }),
  check("docs.get/public", {}, async (api) => {
    for (const accept of FORMATS) expectStatus(await getDocument(api, ENTRY, { accept }), 200);
    for (const name of await documentNames(api)) expectStatus(await getDocument(api, name), 200);
  }),
  check("docs.get/absent#names", {}, async (api) => {
    const there = await documentNames(api);
    for (const name of new Set(absent(api.runId, there).filter((one) => !there.includes(one))))
      expectProblem(await getDocument(api, name), 404, "document-not-found");
  }),
  check("docs.get/absent#whatever-headers", {}, async (api) => {
    const name = `no-${api.runId}`;
    for (const asked of [...FORMATS.map((accept) => ({ accept })), { ifNoneMatch: "*" }])
      expectProblem(await getDocument(api, name, asked), 404, "document-not-found");
    expectStatus(await getDocument(api, name, { method: "HEAD" }), 404);
  }),
  check("docs.get/name-pattern", {}, async (api) => {
    const get = (name: string) =>
      api.call("docs.get", { input: { name: "" }, credentials: "none", rawQuery: `@=docs.get.${name}` });
    expectSuccess(await get(ENTRY), "docs.get");
    for (const name of outside) expectProblem(await get(name), 404, "operation-not-found");
  }),
];
