import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { Expectation } from "../../client/expectation.ts";
import { queries, queryOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase, reach } from "../probe.ts";

/** HEAD is GET without the body (D5). */

/** What differs between two answers to the same request, or belongs to the connection. */
const VOLATILE = new Set([
  "date",
  "age",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "ratelimit",
  "x-request-id",
  "server-timing",
]);

/** Answers that name the method of the request, so that their length differs. */
const NAMES_THE_METHOD = new Set(["sysinfo", "/"]);

type Send = (method: string) => Promise<Reply>;

function fieldsOf(reply: Reply, names: ReadonlySet<string>): Map<string, string> {
  const known = [...new Set(reply.headers.map(([name]) => name.toLowerCase()))];
  return new Map(known.filter((name) => !names.has(name)).map((name) => [name, reply.header(name) ?? ""]));
}

/** What HEAD is answered otherwise than GET; null for nothing. GET before and after, since others write meanwhile. */
async function difference(send: Send, ignored: ReadonlySet<string>): Promise<Expectation | null> {
  const before = await send("GET");
  const head = await send("HEAD");
  const after = await send("GET");
  if (head.status !== before.status && head.status !== after.status) {
    return new Expectation("status", `the status of GET, ${before.status}`, `${head.status} to HEAD`);
  }
  const [one, sent, other] = [fieldsOf(before, ignored), fieldsOf(head, ignored), fieldsOf(after, ignored)];
  for (const name of new Set([...one.keys(), ...sent.keys()])) {
    const value = sent.get(name);
    if (value === one.get(name) || value === other.get(name)) continue;
    // A number or a trace of each request; the length of a list that grows is not one.
    if (value !== undefined && one.get(name) !== other.get(name) && name !== "content-length") continue;
    return new Expectation(
      `header:${name}`,
      `${name} as to GET, ${one.get(name) ?? "absent"}`,
      `${value ?? "none"} to HEAD`,
    );
  }
  return null;
}

async function expectAlike(label: string, send: Send, without: readonly string[] = []): Promise<void> {
  const ignored = new Set([...VOLATILE, ...without]);
  let found: Expectation | null = null;
  // A list that grows between every two of three requests looks like a difference; not three times in a row.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    found = await difference(send, ignored);
    if (!found) return;
  }
  await inCase(label, () => fail("body", found?.expected ?? "", found?.actual ?? ""));
}

const lengthless = (id: string) => (NAMES_THE_METHOD.has(id) ? ["content-length", "etag"] : []);

/** Requests that are refused, each at another step. */
const refusals: Readonly<Record<string, { readonly name: string; readonly options: CallOptions }>> = {
  "no operation": { name: "", options: { rawQuery: "" } },
  "an unknown operation": { name: "no.such.operation", options: {} },
  "an unknown document": { name: "docs.get.no-such-document", options: {} },
  "a repeated parameter": { name: "", options: { rawQuery: "@=sysinfo&@=sysinfo" } },
  "no credentials": { name: "user.list", options: { credentials: "none" } },
  "an invalid key": {
    name: "user.list",
    options: { credentials: { key: { header: "no" }, platform: { header: "no" } } },
  },
  "no representation": { name: "docs.list", options: { accept: "image/png" } },
  "invalid input": { name: "user.list", options: { input: { limit: 0 } } },
  "an operation of POST": { name: "user.create", options: {} },
};

/** HEAD on a connection of its own, read to its end: a body would stand behind the head. */
async function expectNoBody(
  api: Api,
  target: string,
  headers: readonly (readonly [string, string])[] = [],
): Promise<void> {
  const bytes = api.rawRequest({ method: "HEAD", target: api.path(target), headers });
  const { replies, leftover } = await api.raw(bytes, { answers: Infinity, heads: [true] });
  await inCase(`HEAD ${target}`, () => {
    if (replies.length === 0) fail("connection", "an answer to HEAD", "none");
    if (leftover.length > 0 || replies.length > 1)
      fail("body", "no body to HEAD", `${leftover.length} bytes behind the head`);
  });
}

export const head = [
  ...queries.map((operation) =>
    check(`dispatch/head#${operation.id}`, { alone: operation.auth }, async (api) => {
      const send = (options: CallOptions) => (method: string) =>
        reach(api, operation, { method, headers: { "X-Request-Id": `head-${api.runId}` }, ...options });
      expectStatus(await send({})("HEAD"), ...operation.answers.map(({ status }) => status));
      await expectAlike("without Accept", send({}), lengthless(operation.id));
      await expectAlike("as %40", send({ at: "%40" }), lengthless(operation.id));
      for (const { mediaTypes } of operation.answers.slice(0, 1)) {
        for (const accept of mediaTypes)
          await expectAlike(`Accept: ${accept}`, send({ accept }), lengthless(operation.id));
      }
      await expectAlike("gzip", send({ headers: { "Accept-Encoding": "gzip" } }), lengthless(operation.id));
    }),
  ),
  check("dispatch/head#refusals", {}, async (api) => {
    for (const [label, { name, options }] of Object.entries(refusals)) {
      const headers = { "X-Request-Id": `head-${api.runId}` };
      await expectAlike(label, (method) => api.call(name, { ...options, method, headers }), ["content-length"]);
    }
  }),
  ...queries.map((operation) =>
    check(`dispatch/head#refused-${operation.id}`, {}, async (api) => {
      const input = api.example(operation.id);
      const faults: Readonly<Record<string, CallOptions>> = {
        "an unknown parameter": { input, query: [["no-such-parameter", "1"]] },
        "no representation": { input, accept: "image/png" },
        ...(operation.auth ? { "no credentials": { input, credentials: "none" } } : {}),
      };
      const headers = { "X-Request-Id": `head-${api.runId}` };
      for (const [label, options] of Object.entries(faults)) {
        await expectAlike(label, (method) => api.call(operation.id, { ...options, method, headers }));
      }
    }),
  ),
  check("dispatch/head#next-page", { last: true }, async (api) => {
    const headers = { "X-Request-Id": `head-${api.runId}` };
    await expectAlike("limit=1", (method) => api.call("user.list", { input: { limit: 1 }, method, headers }));
  }),
  check("dispatch/head#conditional", {}, async (api) => {
    const etag = (await api.call("docs.get", { input: { name: "README" } })).header("etag") ?? '"none"';
    for (const tag of [etag, '"another"', "*"]) {
      const headers = { "If-None-Match": tag, "X-Request-Id": `head-${api.runId}` };
      await expectAlike(`If-None-Match: ${tag}`, (method) =>
        api.call("docs.get", { method, input: { name: "README" }, headers }),
      );
    }
  }),
  check("dispatch/head#paths", {}, async (api) => {
    for (const target of [
      "/",
      "/openapi.json",
      "/openapi.yaml",
      "/openapi.operations.json",
      "/openapi.operations.yaml",
      "/robots.txt",
      "/no-such-path",
      "/api",
      "/api?@=user.list&limit=1&X-PLATFORM=web",
    ]) {
      for (const accept of ["*/*", "application/json"]) {
        const headers = [
          ["X-Request-Id", `head-${api.runId}`],
          ["Accept", accept],
        ] as const;
        await expectAlike(target, (method) => api.request({ method, target, headers }), lengthless(target));
      }
    }
  }),
  check("dispatch/head#no-body", {}, async (api) => {
    const credentials = [
      ["X-API-KEY", api.key],
      ["X-PLATFORM", api.platform],
    ] as const;
    for (const operation of queries) {
      await expectNoBody(api, `/api/?${queryOf(operation, api.required(operation.id))}`, credentials);
    }
    for (const target of [
      "/api/?@=user.list",
      "/api/?@=no.such.operation",
      "/api/?@=user.create",
      "/api/",
      "/",
      "/openapi.json",
      "/no-such-path",
    ]) {
      await expectNoBody(api, target);
    }
  }),
];
