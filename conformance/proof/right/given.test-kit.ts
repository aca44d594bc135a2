import { contract } from "../../contract.ts";
import { coders, type Decisions, type Said } from "../kits/tiny-deployment.test-kit.ts";

const { version } = contract;
const html = (body: string, overrides: Partial<Said> = {}): Said => ({
  status: 200,
  type: "text/html",
  body,
  ...overrides,
});
const json = (body: unknown, status = 200): Said => ({ status, type: "application/json", body });
const redirect = (status: number, Location: string): Said =>
  html("moved", { status, headers: { Location } });

/** What other implementations may have decided where the document leaves it open. */
const choices: { readonly [Name in keyof Decisions]?: readonly Decisions[Name][] } = {
  refused: [
    json({ error: { code: "E17", message: "no" } }, 400),
    { status: 401, type: "text/plain", body: "" },
    html("<h1>Forbidden</h1>", { status: 403 }),
    json(null, 404),
    { status: 422, type: "application/problem+json", body: { type: "about:blank", status: 422 } },
    { status: 500, type: "text/plain", body: "Oops" },
    redirect(302, "/login"),
    json({ error: "no" }),
  ],
  status: [201, 202, 203, 206],
  type: ["application/json", "Application/JSON;charset=UTF-8", "application/hal+json", "text/json"],
  wrap: [
    (data) => ({ data }),
    (result) => ({ result, at: new Date().toISOString() }),
    (data) => ({ id: crypto.randomUUID(), data }),
    (data) => ({ data, ms: performance.now() }),
    (body) => [200, body],
  ],
  indent: [2],
  sysinfo: [
    { version },
    { Version: `v${version}` },
    { data: { apiVersion: version } },
    { runtime: { version: "24.1.0" }, status: "up" },
    { version: 7, api: { version: "2" }, release: version },
    { name: "PHP", version: "8.3.6-0ubuntu0.24.04.1" },
    { system: { version: "6.8.0" }, up: true },
    `Operational ${version}`,
    [["version", version]],
  ],
  health: [true, "OK", {}, null, { up: true, now: Date.now() }],
  created: [() => "OK", () => ({}), () => true, (_, people) => people.length, (person) => person],
  listed: [
    (people) => people,
    (people) => ({ users: [...people].reverse() }),
    (people) => ({ ...people }),
    (people) => people.map(({ name }) => name ?? "nobody"),
    (people) => ({ total: people.length, page: people.slice(0, 10) }),
  ],
  documents: [
    { items: [{ name: "README", size: 4 }] },
    { readme: "/api/?@=docs.get.README", help: null },
  ],
  readme: [
    { type: "text/markdown;charset=utf-8", body: "# Tiny" },
    html("<h1>Tiny</h1>"),
    { body: { name: "README", text: "# Tiny" } },
  ],
  open: [/^sysinfo/, /^(sysinfo|docs|user\.create)/],
  required: [["email"], ["name"], []],
  takes: [
    ({ email }) => !String(email).includes("+"),
    ({ email }) => !/@example\.com$/.test(String(email)),
    ({ name }, people) => !name || people.every((one) => one.name !== name),
  ],
  help: [
    html("<h1>Which operation?</h1>"),
    json({ operations: ["sysinfo", "docs.list"] }),
    json("OK"),
  ],
  byDefault: ["sysinfo", "docs.list"],
  elsewhere: [html('<div id="app"></div>'), json({ hello: "world" }), redirect(303, "/")],
  page: [(facts) => ({ type: "text/plain", body: facts }), (facts) => json({ facts })],
  headers: [
    { server: "tiny/1", "SET-COOKIE": "a=b", etag: '"1"' },
    { connection: "close" },
    { Connection: "Keep-Alive", "Keep-Alive": "timeout=5" },
  ],
  code: [coders.gzip, coders.br, coders.deflate],
  chunked: [true],
  lateMs: [15],
};
/** Those that belong together: a flag in every body, and a landing page to which `/` leads. */
const together: readonly Partial<Decisions>[] = [
  { refused: json({ ok: false }), wrap: (data) => ({ ok: true, data }) },
  { landingAt: "/en/", root: redirect(301, "en/") },
];

/** All of them, in as few deployments as possible. */
export function deployments(): readonly Partial<Decisions>[] {
  const all: Partial<Decisions>[] = [...together];
  for (const [name, values] of Object.entries(choices))
    for (const value of values) {
      const free = all.findIndex((one) => !(name in one));
      if (free < 0) all.push({ [name]: value });
      else all[free] = { ...all[free], [name]: value };
    }
  return all;
}
