import type { Api } from "../../client/api.ts";
import { describe, expectAccepted, expectAcceptedDocument, fail } from "../../client/expect.ts";
import { isSame } from "../../client/observation.ts";
import { commands, every, isGiven, nameOf, operationById, queries, queryOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { contract } from "../../contract.ts";
import type { Operation } from "../../oracle/contract.ts";
import { check } from "../check.ts";
import { credentialFields, effectOf, inCase, inEach, JSON_TYPE, shown } from "../probe.ts";
import { expectNotTaken, textsIn } from "./users.ts";

/** The given requirements of the protocol (G1, G2, G3): requests are accepted or rejected. Uses no decided behaviour. */

/** Checks that the operation returned a JSON document; `docs.get` may return text as well. */
function expectServed(reply: Reply, { answers }: Operation): void {
  const text = answers.some(({ mediaTypes }) => mediaTypes.some((type) => type.startsWith("text/")));
  if (text) expectAcceptedDocument(reply);
  else expectAccepted(reply);
}

const get = (api: Api, target: string, headers: readonly (readonly [string, string])[] = [], body?: string) =>
  api.request({ method: "GET", target, headers: [...credentialFields(api), ...headers], ...(body && { body }) });

/**
 * A deployment may serve any page at other paths, or help where `@` is missing, but not the response of this operation. If
 * `control`, the same request without the name, has that response too, the name did not choose it.
 */
async function expectNotAnswered(
  api: Api,
  id: string,
  asks: readonly (() => Promise<Reply>)[],
  control?: () => Promise<Reply>,
): Promise<void> {
  const first = await api.call(id);
  expectServed(first, operationById(id));
  const unnamed = await control?.();
  if (unnamed && !unnamed.refused && isSame(first, await api.call(id), unnamed)) return;
  const replies = await inTurn(asks);
  const again = await api.call(id);
  for (const reply of replies)
    if (!reply.refused && isSame(first, again, reply))
      fail("status", `not the answer of ${id} from ${reply.exchange.request.url}`, describe(reply));
}

/** A request without a name, for which a deployment may have a default operation. */
const unnamed = (api: Api) => () => get(api, "/api/");
/** Two operations: at least one of them is not the default one. */
const NAMELESS: readonly string[] = ["sysinfo", "docs.list"];

async function inTurn<T>(asks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const all: T[] = [];
  for (const ask of asks) all.push(await ask());
  return all;
}

/** A response of at most so many characters cannot be distinguished from others. */
const EMPTY = 8;
const NO_KEY = { credentials: "none" } as const;

/** Paths that could name an operation. */
const pathsOf = (name: string) => {
  const folders = name.replaceAll(".", "/");
  const [resource = ""] = name.split(".");
  const resources = [resource, `${resource}s`].flatMap((each) => [`/${each}`, `/api/${each}`]);
  const below = ["", "@", "@/"].map((mark) => `/api/${mark}${name}`);
  const all = [...below, `/api/${name}/`, `/api/${folders}`, `/${name}`, `/${folders}`, `/@${name}`, ...resources];
  return [...new Set(all)];
};

const MAJOR = contract.version.split(".", 1)[0] ?? "";
const VERSIONS = new Set([MAJOR, contract.version, "1"].flatMap((version) => [version, `v${version}`]));

/** Parameters that another interface might use instead of `@`. */
const ALIASES = ["operation", "op", "action", "method", "name", "cmd", "q", ""];

/** The input of a command, in the forms of other interfaces. */
const otherwise = (data: Readonly<Record<string, unknown>>): readonly object[] => [
  ...[data, { input: data }, { params: data }, { Data: data }],
  ...[{ data: [data] }, { data: JSON.stringify(data) }],
];

/** Bodies of a command that are no JSON object, each with its media type. */
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
    const seen: { readonly id: string; readonly replies: readonly [Reply, Reply] }[] = [];
    await inEach(queries.filter(isGiven), async (operation) => {
      const replies = [await api.call(operation.id), await api.call(operation.id)] as const;
      const [reply] = replies;
      expectServed(reply, operation);
      // Several operations may return just `true`, `"OK"` or `{}`.
      if (reply.text.trim().length <= EMPTY) return;
      const twin = seen.find((one) => isSame(...one.replies, reply));
      if (twin) fail("body", `another document than that of ${twin.id}`, shown(reply.text));
      seen.push({ id: operation.id, replies });
    });
  }),
  check("dispatch/one-path#not-by-header", {}, async (api) => {
    const fields = ["X-Operation", "X-Action", "Operation", "SOAPAction"].map((name) => [name, "sysinfo"] as const);
    const headers = [...fields, ["Cookie", "@=sysinfo; %40=sysinfo; operation=sysinfo"] as const];
    const plain = await api.call("docs.list");
    expectAccepted(plain);
    const steered = await get(api, "/api/?@=docs.list", headers);
    expectAccepted(steered);
    if (!isSame(plain, await api.call("docs.list"), steered))
      fail("body", "a header not to choose the operation", shown(steered.text));
    await expectNotAnswered(api, "sysinfo", [() => get(api, "/api/", headers)], unnamed(api));
  }),
  check("dispatch/one-path#not-by-other-parameter", {}, async (api) => {
    for (const id of NAMELESS) {
      const queries = [...ALIASES.map((name) => `${name}=${id}`), id];
      const asks = queries.map((query) => () => get(api, `/api/?${query}`));
      await expectNotAnswered(api, id, asks, unnamed(api));
    }
  }),
  check("dispatch/one-path#nowhere-else", {}, async (api) => {
    const paths = ["/", "/index.html", "/openapi.json", "/robots.txt", `/no-such-path-${api.runId}`];
    const accept = ["Accept", "application/json"] as const;
    await expectNotAnswered(
      api,
      "docs.list",
      paths.map((path) => () => get(api, `${path}?@=docs.list`, [accept])),
    );
  }),

  ...every.map((operation) =>
    check(`dispatch/not-by-path#${operation.id}`, { of: operation, effect: effectOf(operation) }, async (api) => {
      const { id, method } = operation;
      const data = api.example(id);
      const paths = pathsOf(nameOf(operation, data));
      if (method === "GET") {
        const asks = paths.map((path) => () => get(api, path));
        return expectNotAnswered(api, id, asks, () => get(api, `/api/no-such-${api.runId}`));
      }
      const content = { headers: [...credentialFields(api), JSON_TYPE], body: JSON.stringify({ ...data, data }) };
      await inEach(paths, async (target) =>
        expectNotTaken(api, await api.request({ ...content, method, target }), textsIn(data)),
      );
    }),
  ),
  check("dispatch/not-by-path#at-beside-a-path", {}, async (api) => {
    const paths = pathsOf("sysinfo").filter((each) => each.startsWith("/api/"));
    await expectNotAnswered(
      api,
      "sysinfo",
      paths.map((path) => () => get(api, `${path}?@=docs.list`)),
    );
  }),
  check("dispatch/no-version-in-path", {}, async (api) => {
    const paths = [...VERSIONS].flatMap((each) => [`/api/${each}/`, `/api/${each}`, `/${each}/api/`]);
    await expectNotAnswered(
      api,
      "sysinfo",
      paths.map((path) => () => get(api, `${path}?@=sysinfo`)),
    );
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
        expectServed(await api.call(operation.id, { rawQuery, ...(operation.auth && NO_KEY) }), operation);
    }),
  ),
  check("dispatch/query-style#not-by-body", {}, async (api) => {
    for (const id of NAMELESS) {
      const body = JSON.stringify({ "@": id });
      await expectNotAnswered(api, id, [() => get(api, "/api/", [JSON_TYPE], body)], unnamed(api));
    }
  }),

  ...commands.flatMap((operation) => {
    const name = nameOf(operation);
    const call = (api: Api, body: unknown, type = "application/json") =>
      api.call(operation.id, { body, headers: { "Content-Type": type } });
    return [
      check(`dispatch/body-style#${operation.id}`, { of: operation, effect: "write" }, async (api) => {
        // `data` first, since members have no order; with blanks and escapes that JSON allows.
        const data = JSON.stringify(api.example(operation.id), null, 2);
        const escaped = name.replaceAll(".", "\\u002e");
        expectAccepted(await call(api, `\n{\t"data" : ${data} ,\n  "\\u0040" : "${escaped}" }\n`));
      }),
      check(`dispatch/body-style#${operation.id}-otherwise`, { of: operation, effect: "write" }, async (api) => {
        const data = api.example(operation.id);
        const values = textsIn(data);
        await inEach(otherwise(data), async (body) =>
          expectNotTaken(api, await call(api, { "@": name, ...body }), values),
        );
        for (const [type, body] of noObjects(name, data))
          await inCase(`${shown(body)} as ${type}`, async () =>
            expectNotTaken(api, await call(api, body, type), values),
          );
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
