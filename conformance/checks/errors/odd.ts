import type { Api } from "../../client/api.ts";
import { describe, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";

/** Texts that break what takes them for something else. */
const ODD = [
  ...[
    "\u0000",
    "a\u0000b",
    "\ufffe\uffff",
    "\u202e",
    "%",
    "%00",
    "'",
    '"',
    "\\",
    "`",
    "';--",
    "' OR '1'='1",
    "#{7*7}",
    "{{7*7}}",
  ],
  ...[
    "../../etc/passwd",
    "<x>",
    "\r\n",
    "null",
    "undefined",
    "NaN",
    "-1",
    "1e309",
    "9".repeat(400),
    "[]",
    "{}",
    "[object Object]",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "then",
    "length",
    "toJSON",
    "\u{1f600}".repeat(50),
    "\u0130\u0131\u017f\u212a",
  ],
];

/** JSON that has no business to be there; some of it passes for something else. */
const VALUES = [
  ...["null", "true", "0", "-0", "1e308", "1e400", "[]", "{}", "[null]", "[[]]"],
  ...['{"toString":null}', '{"valueOf":1}', '{"then":1}', '{"length":-1}', '{"toJSON":1}', '{"":{"":""}}'],
];

/** 503 is no fault of its own: it may be overloaded. */
function expectAnswered(reply: Reply): void {
  if (reply.status >= 500 && reply.status !== 503) fail("status", "an answer below 500", describe(reply));
}

async function expectAllAnswered(
  cases: readonly (readonly [what: string, send: () => Promise<Reply>])[],
): Promise<void> {
  for (const [what, send] of cases) await inCase(what, async () => expectAnswered(await send()));
}

const of = (texts: readonly string[], send: (text: string) => () => Promise<Reply>) =>
  texts.map((text) => [JSON.stringify(text).slice(0, 60), send(text)] as const);

/** Values of a header that an HTTP client agrees to send. */
const sendable = ODD.filter((text) => /^[\x20-\x7e]+$/.test(text));

/** Well-formed cursors of nobody. */
const cursors = [
  "",
  "a",
  "AA",
  "AAAA",
  "=",
  "====",
  "A".repeat(7000),
  "-_-_",
  "+/+/",
  "eyJpZCI6MX0",
  "bnVsbA",
  "W10",
  "AAAAAAAAAAAAAAAAAAAAAA",
];

const cases = (api: Api) => {
  const list = (input: Record<string, unknown>) => () => api.call("user.list", { input });
  const create = (body: unknown) => () => api.call("user.create", { body });
  const data = (more: object) => create({ "@": "user.create", data: { name: "", email: "", ...more } });
  return { list, create, data };
};

/** No request is the service's own fault (Errors). */
export const odd: readonly Check[] = [
  check("errors/never-500#parameters", { effect: "hostile" }, async (api) => {
    const { list } = cases(api);
    await expectAllAnswered([
      ...of([...ODD, ...cursors], (cursor) => list({ cursor })),
      ...of(ODD, (limit) => list({ limit })),
      ...of(ODD, (name) => () => api.call(name === "" ? "x" : name)),
      ...of(ODD, (name) => () => api.call("sysinfo", { query: [[name, name]] })),
      ...of(
        ["%ed%a0%80", "%ff", "%c0%af", "%", "%u0041", "&&&=&=&", "[]=1&[]=2", "a[b][c]=1"],
        (raw) => () => api.call("user.list", { rawQuery: `@=user.list&${raw}` }),
      ),
    ]);
  }),
  check("errors/never-500#members", { effect: "hostile" }, async (api) => {
    const { create, data } = cases(api);
    const put = (members: string) => create(`{"@":"user.create","data":{${members}}}`);
    await expectAllAnswered([
      ...of(ODD, (text) => data({ name: text, email: 1 })),
      ...of(ODD, (text) => data({ name: 1, email: text })),
      ...of(ODD, (text) => data({ name: "", email: `${text}@example.com` })),
      ...of(
        ODD.filter((name) => name !== "__proto__"),
        (name) => data({ [name]: 1 }),
      ),
      ...of(ODD, (name) => create({ "@": name, data: {} })),
      ...VALUES.flatMap((value) => [
        [`the name ${value}`, put(`"name":${value}`)] as const,
        [`the e-mail ${value}`, put(`"name":"","email":${value}`)] as const,
        [`@ ${value}`, create(`{"@":${value},"data":${value}}`)] as const,
        [`data ${value}`, create(`{"@":"user.create","data":${value}}`)] as const,
      ]),
      ["lone surrogates", create('{"@":"\\ud800","data":{"\\udc00":"\\ud800"}}')],
      ["lone surrogates in members", create('{"@":"user.create","data":{"name":"\\ud800","email":"\\udfff@a"}}')],
      [
        "five thousand members",
        create({
          "@": "user.create",
          data: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at])),
        }),
      ],
    ]);
  }),
  check("errors/never-500#headers", { effect: "hostile" }, async (api) => {
    const withHeader = (name: string) => (value: string) => () =>
      api.call("user.list", { input: { limit: 1 }, headers: { [name]: value } });
    const posting = (name: string) => (value: string) => () =>
      api.call("user.create", { body: '{"@":"user.create","data":{}}', headers: { [name]: value } });
    const accepts = [
      ",",
      ";q=1",
      "a",
      "a/b;q=",
      "*/*;q=2",
      "*/*;q=0.0001",
      "/",
      "*/json",
      "text/*;q=x",
      ", ,",
      'a/b;c="',
    ];
    const tags = ['"', 'W/"', "*", '"",', 'W/""', "abc", '"a" "b"'];
    await expectAllAnswered([
      ...["X-API-KEY", "X-PLATFORM", "X-Request-Id", "Origin"].flatMap((name) => of(sendable, withHeader(name))),
      ...of([...sendable, ...accepts], withHeader("Accept")),
      ...of(["bytes=0-0", "bytes=9-1", "x"], withHeader("Range")),
      ...of(["x", ";q=1", "gzip;q=x", ",", "identity;q=0, *;q=0"], withHeader("Accept-Encoding")),
      ...of(tags, (value) => () => api.call("docs.get.README", { headers: { "If-None-Match": value } })),
      ...of([...sendable, "x".repeat(8000)], posting("Idempotency-Key")),
      ...of(
        [...sendable, ";", "/", "application/json;", "application/json;charset", 'application/json;charset="'],
        posting("Content-Type"),
      ),
      ...of(sendable, posting("Content-Encoding")),
    ]);
  }),
];
