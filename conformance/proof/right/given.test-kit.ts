import { contract } from "../../contract.ts";
import { coders, type Decisions, type Said } from "../kits/tiny-deployment.test-kit.ts";

/** What another implementation may have decided where the document leaves it open; `flags` if the suite needs to know. */
export interface Shape {
  readonly id: string;
  readonly decisions: Partial<Decisions>;
  readonly flags: readonly string[];
}

const shape = (id: string, decisions: Partial<Decisions>, ...flags: string[]): Shape => ({ id, decisions, flags });
const { version } = contract;
const html = (body: string, more: Partial<Said> = {}): Said => ({ status: 200, type: "text/html", body, ...more });
const json = (body: unknown, status = 200): Said => ({ status, type: "application/json", body });
const redirect = (status: number, Location: string): Said => html("moved", { status, headers: { Location } });
const problem: Said = { status: 422, type: "application/problem+json", body: { type: "about:blank", status: 422 } };

export const shapes: readonly Shape[] = [
  shape("refuses with 400 and a code", { refused: json({ error: { code: "E17", message: "no" } }, 400) }),
  shape("refuses with 401 and no body", { refused: { status: 401, type: "text/plain", body: "" } }),
  shape("refuses with 403 and a page", { refused: html("<h1>Forbidden</h1>", { status: 403 }) }),
  shape("refuses with 404 and null", { refused: json(null, 404) }),
  shape("refuses with 422 and a problem", { refused: problem }),
  shape("refuses with 500", { refused: { status: 500, type: "text/plain", body: "Oops" } }),
  shape("refuses by a redirect to its login", { refused: redirect(302, "/login") }),
  shape("refuses with 200 and an error", { refused: json({ error: "no" }) }, "--refused", "/error"),
  shape(
    "has a flag in every body, whatever the status",
    { refused: json({ ok: false }), wrap: (data) => ({ ok: true, data }) },
    ...["--refused", "/ok=false"],
  ),
  shape("accepts with 201", { status: 201 }),
  shape("accepts with 202", { status: 202 }),
  shape("accepts with 203", { status: 203 }),
  shape("accepts with 206", { status: 206 }),
  shape("says application/json", { type: "application/json" }),
  shape("says it in capitals, with a charset", { type: "Application/JSON;charset=UTF-8" }),
  shape("says application/hal+json", { type: "application/hal+json" }),
  shape("says text/json", { type: "text/json" }),
  shape("wraps in data", { wrap: (data) => ({ data }) }),
  shape("wraps with the time", { wrap: (result) => ({ result, at: new Date().toISOString() }) }),
  shape("wraps with the id of the request", { wrap: (data) => ({ id: crypto.randomUUID(), data }) }),
  shape("wraps with the time that it took", { wrap: (data) => ({ data, ms: performance.now() }) }),
  shape("wraps in a list", { wrap: (body) => [200, body] }),
  shape("writes JSON with indentation", { indent: 2 }),
  shape("sysinfo has a bare version", { sysinfo: { version } }),
  shape("sysinfo writes v before the version", { sysinfo: { Version: `v${version}` } }),
  shape("sysinfo has the version in an envelope", { sysinfo: { data: { apiVersion: version } } }),
  shape("sysinfo says the version of others alone", { sysinfo: { runtime: { version: "24.1.0" }, status: "up" } }),
  shape("sysinfo counts its own versions", { sysinfo: { version: 7, api: { version: "2" }, release: version } }),
  shape("sysinfo says the version of PHP", { sysinfo: { name: "PHP", version: "8.3.6-0ubuntu0.24.04.1" } }),
  shape("sysinfo says the version of its system", { sysinfo: { system: { version: "6.8.0" }, up: true } }),
  shape("sysinfo is a text", { sysinfo: `Operational ${version}` }),
  shape("sysinfo is a list", { sysinfo: [["version", version]] }),
  shape("health is true", { health: true }),
  shape("health is OK", { health: "OK" }),
  shape("health is empty", { health: {} }),
  shape("health is null", { health: null }),
  shape("health has the time", { health: { up: true, now: Date.now() } }),
  shape("create answers OK", { created: () => "OK" }),
  shape("create answers {}", { created: () => ({}) }),
  shape("create answers true", { created: () => true }),
  shape("create answers a number", { created: (_, people) => people.length }),
  shape("create answers the user alone", { created: (person) => person }),
  shape("lists without an envelope", { listed: (people) => people }),
  shape("lists the newest first", { listed: (people) => ({ users: [...people].reverse() }) }),
  shape("lists by number", { listed: (people) => ({ ...people }) }),
  shape("lists names alone", { listed: (people) => people.map(({ name }) => name ?? "nobody") }),
  shape("lists pages of ten", { listed: (people) => ({ total: people.length, page: people.slice(0, 10) }) }),
  shape("lists documents as objects", { documents: { items: [{ name: "README", size: 4 }] } }),
  shape("lists documents by name", { documents: { readme: "/api/?@=docs.get.README", help: null } }),
  shape("has README as Markdown", { readme: { type: "text/markdown;charset=utf-8", body: "# Tiny" } }),
  shape("has README as a page", { readme: html("<h1>Tiny</h1>") }),
  shape("has README as JSON", { readme: { body: { name: "README", text: "# Tiny" } } }),
  shape("wants a key for documents", { open: /^sysinfo/ }),
  shape("wants no key for a create", { open: /^(sysinfo|docs|user\.create)/ }),
  shape("needs no name", { required: ["email"] }),
  shape("needs no address", { required: ["name"] }),
  shape("needs neither", { required: [] }),
  shape(
    "takes no + in an address",
    { takes: ({ email }) => !String(email).includes("+") },
    "--email",
    "qa-{id}@example.net",
  ),
  shape(
    "takes no address of example.com",
    { takes: ({ email }) => !/@example\.com$/.test(String(email)) },
    ...["--email", "qa+{id}@example.org"],
  ),
  shape("takes no name twice", { takes: ({ name }, people) => !name || people.every((one) => one.name !== name) }),
  shape("helps with a page where @ is missing", { help: html("<h1>Which operation?</h1>") }),
  shape("helps with JSON where @ is missing", { help: json({ operations: ["sysinfo", "docs.list"] }) }),
  shape("answers OK where @ is missing", { help: json("OK") }),
  shape("answers sysinfo where @ is missing", { byDefault: "sysinfo" }),
  shape("answers the documents where @ is missing", { byDefault: "docs.list" }),
  shape("has its application on every path", { elsewhere: html('<div id="app"></div>') }),
  shape("says hello in JSON on every path", { elsewhere: json({ hello: "world" }) }),
  shape("leads every other path home", { elsewhere: redirect(303, "/") }),
  shape("has its landing page elsewhere", { landingAt: "/home" }, "--landing", "/home"),
  shape("leads from / to its landing page", { landingAt: "/en/", root: redirect(301, "en/") }),
  shape("has a landing page of plain text", { page: (facts) => ({ type: "text/plain", body: facts }) }),
  shape("has a landing page of JSON", { page: (facts) => json({ facts }) }),
  shape("sends header fields of its own", { headers: { server: "tiny/1", "SET-COOKIE": "a=b", etag: '"1"' } }),
  shape("closes every connection", { headers: { connection: "close" } }),
  shape("keeps connections in the way of HTTP/1.0", {
    headers: { Connection: "Keep-Alive", "Keep-Alive": "timeout=5" },
  }),
  shape("compresses unasked with gzip", { code: coders.gzip }),
  shape("compresses unasked with Brotli", { code: coders.br }),
  shape("compresses unasked with deflate", { code: coders.deflate }),
  shape("sends chunks", { chunked: true }),
  shape("is slow", { lateMs: 15 }),
];

/** The shapes in as few deployments as possible: those of one differ in different things. */
export function deployments(): Shape[][] {
  const all: Shape[][] = [];
  for (const one of shapes) {
    const fits = all.find((others) =>
      others.every(({ decisions }) => !Object.keys(one.decisions).some((name) => name in decisions)),
    );
    if (fits) fits.push(one);
    else all.push([one]);
  }
  return all;
}

/** All of them at once. */
export const merged = (some: readonly Shape[]): Shape => ({
  id: some.map(({ id }) => id).join("; "),
  decisions: Object.assign({}, ...some.map(({ decisions }) => decisions)),
  flags: some.flatMap(({ flags }) => flags),
});
