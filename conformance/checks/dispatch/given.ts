import { contract } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectAccepted, expectAcceptedDocument, expectRefused, fail } from "../../client/expect.ts";
import { commands, every, isGiven, type Known, nameOf, queries, queryOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { credentialFields, effectOf, inCase, inEach, shown } from "../probe.ts";

/** What is given of the protocol (G1, G2, G3): accepted or refused, and nothing of what was decided. */

/** An operation whose answer is a JSON document; `docs.get` may answer text as well. */
function expectServed(reply: Reply, { answers }: Known): void {
  const text = answers.some(({ mediaTypes }) => mediaTypes.some((type) => type.startsWith("text/")));
  if (text) expectAcceptedDocument(reply);
  else expectAccepted(reply);
}

/** A page that is no operation's may be anywhere; the answer of an operation may not. */
function expectNoAnswer(reply: Reply): void {
  if (/json|markdown|text\/plain/.test(reply.mediaType)) expectRefused(reply);
}

const get = (api: Api, target: string, headers: readonly (readonly [string, string])[] = []) =>
  api.request({ method: "GET", target, headers });

const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Paths that could stand for an operation. */
const pathsOf = (name: string) => {
  const folders = name.replaceAll(".", "/");
  const below = ["", "@", "@/"].map((mark) => `/api/${mark}${name}`);
  return [...below, `/api/${name}/`, `/api/${folders}`, `/${name}`, `/${folders}`, `/@${name}`];
};

const MAJOR = contract.version.split(".", 1)[0] ?? "";
const VERSIONS = new Set([MAJOR, contract.version, "1"].flatMap((version) => [version, `v${version}`]));

/** Members that another interface might take for `@`. */
const ALIASES = ["operation", "op", "action", "method", "name", "cmd", "q", ""];

/** The input of a command, in the ways of other interfaces. */
const otherwise = (data: Readonly<Record<string, unknown>>): readonly object[] => [
  ...[data, { input: data }, { params: data }, { Data: data }],
  ...[{ data: [data] }, { data: JSON.stringify(data) }],
];

/** The body of a command in no JSON object, by its media type. */
function noObjects(name: string, data: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  const plain = Object.entries(data).map(([member, value]) => [member, String(value)] as const);
  const nested = plain.map(([member, value]) => [`data[${member}]`, value] as const);
  const members = Object.fromEntries([["@", name] as const, ...plain, ...nested]);
  const form = new URLSearchParams(members).toString();
  const parts = Object.entries(members).map(
    ([member, value]) => `--part\r\nContent-Disposition: form-data; name="${member}"\r\n\r\n${value}\r\n`,
  );
  return [
    ["application/x-www-form-urlencoded", form],
    ["multipart/form-data; boundary=part", `${parts.join("")}--part--\r\n`],
    ["application/json", JSON.stringify([members])],
    ["application/json", form],
  ];
}

export const givenDispatch = [
  check("dispatch/one-path#by-at", {}, async (api) => {
    const seen = new Map<string, string>();
    await inEach(queries.filter(isGiven), async (operation) => {
      const reply = await api.call(operation.id);
      expectServed(reply, operation);
      const twin = seen.get(reply.text);
      if (twin !== undefined) fail("body", `another document than that of ${twin}`, shown(reply.text));
      seen.set(reply.text, operation.id);
    });
  }),
  check("dispatch/one-path#not-by-header", {}, async (api) => {
    const fields = ["X-Operation", "X-Action", "Operation", "SOAPAction"].map((name) => [name, "sysinfo"] as const);
    const headers = [...fields, ["Cookie", "@=sysinfo; %40=sysinfo; operation=sysinfo"] as const];
    const plain = await api.call("docs.list");
    expectAccepted(plain);
    const steered = await get(api, "/api/?@=docs.list", headers);
    expectAccepted(steered);
    if (steered.text !== plain.text) fail("body", "a header not to choose the operation", shown(steered.text));
    expectRefused(await get(api, "/api/", headers));
  }),
  check("dispatch/one-path#not-by-other-parameter", {}, (api) =>
    inEach([...ALIASES.map((name) => `${name}=sysinfo`), "sysinfo"], async (query) =>
      expectRefused(await get(api, `/api/?${query}`)),
    ),
  ),
  check("dispatch/one-path#nowhere-else", {}, async (api) => {
    const asked = await api.call("docs.list");
    expectAccepted(asked);
    for (const path of ["/", "/index.html", "/openapi.json", "/robots.txt", `/no-such-path-${api.runId}`]) {
      const reply = await get(api, `${path}?@=docs.list`, [["Accept", "application/json"]]);
      if (reply.text === asked.text) fail("body", `no operation at ${path}`, shown(reply.text));
    }
  }),

  ...every.map((operation) =>
    check(`dispatch/not-by-path#${operation.id}`, { of: operation, effect: effectOf(operation) }, async (api) => {
      const { id, method } = operation;
      const data = api.example(id);
      const content =
        method === "GET"
          ? { headers: credentialFields(api) }
          : { headers: [...credentialFields(api), JSON_TYPE], body: JSON.stringify({ ...data, data }) };
      await inEach(pathsOf(nameOf(operation, data)), async (target) =>
        expectNoAnswer(await api.request({ ...content, method, target })),
      );
    }),
  ),
  check("dispatch/not-by-path#at-beside-a-path", {}, async (api) => {
    const asked = await api.call("docs.list");
    expectAccepted(asked);
    for (const path of pathsOf("sysinfo").filter((each) => each.startsWith("/api/"))) {
      const { status, text } = await get(api, `${path}?@=docs.list`);
      if (status >= 200 && status < 300 && text !== asked.text)
        fail("body", `the path ${path} not to choose the operation`, shown(text));
    }
  }),
  check("dispatch/no-version-in-path", {}, async (api) => {
    const paths = [...VERSIONS].flatMap((each) => [`/api/${each}/`, `/api/${each}`, `/${each}/api/`]);
    await inEach(paths, async (path) => expectNoAnswer(await get(api, `${path}?@=sysinfo`)));
    expectAccepted(await get(api, "/api/?@=sysinfo"));
  }),

  ...queries.map((operation) =>
    check(`dispatch/query-style#${operation.id}`, { of: operation }, async (api) => {
      const call = queryOf(operation, api.required(operation.id));
      const credentials = credentialFields(api).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      const [key = "", platform = ""] = operation.auth ? credentials : [];
      const orders = [
        [call, key, platform],
        [key, platform, call],
        [key, call, platform],
      ].map((order) => order.filter((each) => each !== "").join("&"));
      for (const rawQuery of new Set(orders))
        expectServed(await api.call(operation.id, { rawQuery, credentials: "none" }), operation);
    }),
  ),
  check("dispatch/query-style#not-by-body", {}, async (api) => {
    const body = JSON.stringify({ "@": "sysinfo" });
    expectRefused(await api.request({ method: "GET", target: "/api/", headers: [JSON_TYPE], body }));
    expectAccepted(await get(api, "/api/?@=sysinfo"));
  }),

  ...commands.flatMap((operation) => {
    const name = nameOf(operation);
    const call = (api: Api, body: unknown, type = "application/json") =>
      api.call(operation.id, { body, headers: { "Content-Type": type } });
    return [
      check(`dispatch/body-style#${operation.id}`, { of: operation, effect: "write" }, async (api) => {
        // `data` first, since an object has no order; and blanks and escapes as JSON has them.
        const data = JSON.stringify(api.example(operation.id), null, 2);
        const escaped = name.replaceAll(".", "\\u002e");
        expectAccepted(await call(api, `\n{\t"data" : ${data} ,\n  "\\u0040" : "${escaped}" }\n`));
      }),
      check(`dispatch/body-style#${operation.id}-otherwise`, { of: operation, effect: "write" }, async (api) => {
        const data = api.example(operation.id);
        await inEach(otherwise(data), async (body) => expectRefused(await call(api, { "@": name, ...body })));
        for (const [type, body] of noObjects(name, data))
          await inCase(`${shown(body)} as ${type}`, async () => expectRefused(await call(api, body, type)));
      }),
    ];
  }),

  ...every.map((operation) =>
    check(`dispatch/every-operation#${operation.id}`, { of: operation, effect: effectOf(operation) }, async (api) => {
      const input = operation.method === "POST" ? { input: api.example(operation.id) } : {};
      expectServed(await api.call(operation.id, input), operation);
    }),
  ),
];
