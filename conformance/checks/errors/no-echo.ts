import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { describe, expectObject, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { inCase, toJudge } from "../probe.ts";

/** No word of any language, and not encoded by anything on its way. */
const CANARY = "zq7canaryx9v";
/** So much of it is left where a server masks what it repeats. */
const ENDS = /zq7c|yx9v/i;
/** The same as a number, too large for every limit. */
const NUMBER = 7_340_219;

/** Long enough to be cut, short enough to be sent. */
const LONG = CANARY.repeat(30);

type Cases = readonly (readonly [what: string, reply: () => Promise<Reply>])[];

const create = (api: Api, body: unknown) => () => api.call("user.create", { body });

function expectNoEcho(reply: Reply): void {
  if (reply.status < 400) fail("body", "a refusal", describe(reply));
  const found = (text: string) => text.toLowerCase().includes(CANARY);
  const { requestId: _, ...problem } = expectObject(reply.json());
  const said = JSON.stringify(problem);
  if (found(reply.text) || ENDS.test(said) || said.includes(String(NUMBER)))
    fail("body", "nothing of what the caller wrote in the problem", describe(reply));
  if (found(reply.exchange.answer?.reason ?? ""))
    fail("body", "nothing of what the caller wrote in the reason phrase", reply.exchange.answer?.reason ?? "");
  const header = reply.headers.find(([name, value]) => found(name + value));
  if (header) fail("body", "nothing of what the caller wrote in a header", header.join(": "));
}

async function expectNoEchoes(cases: Cases): Promise<void> {
  for (const [what, send] of cases) await inCase(what, async () => expectNoEcho(await send()));
}

const noEcho = (variant: string, effect: "read" | "write", cases: (api: Api) => Cases) =>
  check(`errors/no-echo#${variant}`, { effect }, (api) => expectNoEchoes(cases(api)));

const listing = (api: Api, options: CallOptions) => () => api.call("user.list", options);
const getting = (api: Api, target: string) => () => api.request({ method: "GET", target });

/** A problem says nothing that the caller said (Errors, D3, D20). */
export const echoes: readonly Check[] = [
  noEcho("operation", "write", (api) => [
    ["the name in a query", () => api.call(CANARY)],
    ["a long name", () => api.call(LONG)],
    ["a name behind a dot", () => api.call(`user.${CANARY}`)],
    ["a document", () => api.call("docs.get", { input: { name: CANARY } })],
    ["a document outside the pattern", () => api.call(`docs.get../${CANARY}`)],
    ["the name in a body", () => api.call(CANARY, { method: "POST" })],
    ["a name that is no text", create(api, { "@": { [CANARY]: CANARY }, data: {} })],
    ["the name in both", () => api.call("user.create", { query: [["@", CANARY]] })],
    ["the name twice", getting(api, `/api/?@=${CANARY}&@=${CANARY}`)],
    ["another method", () => api.request({ method: "DELETE", target: `/api/?@=${CANARY}` })],
  ]),
  noEcho("parameters", "write", (api) => [
    ["the name of an unknown one", listing(api, { query: [[CANARY, "1"]] })],
    ["the value of an unknown one", listing(api, { query: [["unknown", CANARY]] })],
    ["the value of an integer", listing(api, { input: { limit: CANARY } })],
    ["a long value of an integer", listing(api, { input: { limit: LONG } })],
    ["an integer out of range", listing(api, { input: { limit: NUMBER } })],
    ["a cursor", listing(api, { input: { cursor: CANARY } })],
    ["a cursor in base64", listing(api, { input: { cursor: Buffer.from(CANARY).toString("base64url") } })],
    ["a name sent twice", listing(api, { rawQuery: `@=user.list&${CANARY}=1&${CANARY}=2` })],
    ["a broken escape", getting(api, `/api/?@=sysinfo&${CANARY}=%zz`)],
    ["a name on POST", () => api.call("user.create", { query: [[CANARY, CANARY]] })],
    ["a name on sysinfo", () => api.call("sysinfo", { query: [[CANARY, CANARY]] })],
  ]),
  noEcho("members", "write", (api) => [
    ["the name of one in data", create(api, { "@": "user.create", data: { [CANARY]: 1 } })],
    ["the value of one in data", create(api, { "@": "user.create", data: { unknown: CANARY } })],
    ["the name of one beside data", create(api, { "@": "user.create", data: {}, [CANARY]: 1 })],
    ["data itself", create(api, { "@": "user.create", data: CANARY })],
    ["a name with blanks around it", create(api, { "@": "user.create", data: { name: ` ${CANARY}` } })],
    ["a long name", create(api, { "@": "user.create", data: { name: LONG } })],
    ["a name that is no text", create(api, { "@": "user.create", data: { name: { [CANARY]: CANARY } } })],
    ["a name that is an array", create(api, { "@": "user.create", data: { name: [CANARY] } })],
    ["a name that is a number", create(api, { "@": "user.create", data: { name: NUMBER } })],
    ["an e-mail address", create(api, { "@": "user.create", data: { name: "Ada", email: CANARY } })],
    ["an e-mail address with two @", create(api, { "@": "user.create", data: { name: "", email: `${CANARY}@@a` } })],
    ["a good one beside a wrong name", create(api, { "@": "user.create", data: { name: "", email: `${CANARY}@a` } })],
    ["markup", create(api, { "@": "user.create", data: { name: `\n<script>${CANARY}</script>`, email: "x" } })],
  ]),
  noEcho("body", "write", (api) => [
    ["no JSON", create(api, CANARY)],
    ["JSON that ends too early", create(api, `{"${CANARY}":"${CANARY}`)],
    ["something behind the JSON", create(api, `{"@":"user.create","data":{}} ${CANARY}`)],
    ["a text as the body", create(api, JSON.stringify(CANARY))],
    ["a member __proto__", create(api, `{"@":"user.create","__proto__":{"${CANARY}":"${CANARY}"}}`)],
    ["a bad escape", create(api, `{"@":"\\${CANARY}"}`)],
    ["bytes that are no UTF-8", create(api, Buffer.from(`{"@":"${CANARY}\u00e9"}`, "latin1"))],
    ["a large body", create(api, CANARY.repeat(8000))],
  ]),
  noEcho("headers", "write", (api) => {
    const sending = (name: string, value: string) => () =>
      api.call("user.create", { body: { "@": "user.create", data: {} }, headers: { [name]: value } });
    const { key, platform } = api;
    return [
      ["X-API-KEY", listing(api, { credentials: { key: { header: CANARY }, platform: { header: platform } } })],
      [
        "X-API-KEY in the query",
        listing(api, { credentials: { key: { query: CANARY }, platform: { query: platform } } }),
      ],
      ["X-PLATFORM", listing(api, { credentials: { key: { header: key }, platform: { header: CANARY } } })],
      ["X-PLATFORM in the query", listing(api, { credentials: { key: { header: key }, platform: { query: CANARY } } })],
      ["keys that differ", listing(api, { credentials: { key: { header: key, query: CANARY } } })],
      ["Content-Type", sending("Content-Type", `text/${CANARY}`)],
      ["a charset", sending("Content-Type", `application/json; charset=${CANARY}`)],
      ["Content-Encoding", sending("Content-Encoding", CANARY)],
      ["Accept", sending("Accept", `text/${CANARY}`)],
      ["Accept-Language", sending("Accept-Language", CANARY)],
      ["Idempotency-Key", sending("Idempotency-Key", `${CANARY} ${CANARY}`)],
      ["X-Request-Id", sending("X-Request-Id", `${CANARY} ${CANARY}`)],
      ["Referer", sending("Referer", `https://a.example/${CANARY}`)],
      ["User-Agent", sending("User-Agent", CANARY)],
      ["a header of one's own", sending("X-Unknown", CANARY)],
      ["a large header", sending("X-Unknown", CANARY.repeat(2000))],
    ];
  }),
  noEcho("path", "read", (api) => [
    ["a path", getting(api, `/${CANARY}`)],
    ["a path below the endpoint", getting(api, `/api/${CANARY}`)],
    ["a path with a query", getting(api, `/nothing?${CANARY}=${CANARY}`)],
    ["markup in a path", getting(api, `/%3Cscript%3E${CANARY}%3C/script%3E`)],
    ["a long path", getting(api, `/${CANARY.repeat(1000)}`)],
    ["another method on a path", () => api.request({ method: "PUT", target: `/${CANARY}` })],
  ]),
  check("errors/no-echo#unreadable", { effect: "hostile" }, async (api) => {
    const target = api.path("/api/?@=sysinfo");
    const cases = [
      `${CANARY}\r\n\r\n`,
      api.rawRequest({ method: CANARY.toUpperCase(), target }),
      api.rawRequest({ target, version: CANARY }),
      api.rawRequest({ target, headers: [["Expect", CANARY]] }),
      api.rawRequest({ target, headers: [["Content-Length", CANARY]] }),
      api.rawRequest({ target, headers: [["Transfer-Encoding", CANARY]] }),
      api.rawRequest({ target, headers: [[`${CANARY} `, CANARY]] }),
      api.rawRequest({ target: `${target}&a=${CANARY.repeat(5000)}` }),
    ];
    // Some of them may be closed without an answer.
    const answers: Reply[] = [];
    for (const bytes of cases) {
      answers.push(...(await api.raw(bytes)).replies);
      await api.alive();
    }
    for (const reply of toJudge(answers, "answer to bytes that are no request")) expectNoEcho(reply);
  }),
];
