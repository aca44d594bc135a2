import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { describe, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { inCase, shown } from "../probe.ts";

/** Texts that break what takes them for something else. */
const ODD = [
  ...["\u0000", "a\u0000b", "\ufffe\uffff", "\u202e", "\u{1f600}".repeat(50), "\u0130\u0131\u017f\u212a", "\r\n"],
  ...["%", "%00", "'", '"', "\\", "`", "';--", "' OR '1'='1", "#{7*7}", "{{7*7}}", "<x>", "../../etc/passwd"],
  ...["null", "undefined", "NaN", "-1", "1e309", "9".repeat(400), "[]", "{}", "[object Object]"],
  ...["__proto__", "constructor", "toString", "then", "length", "toJSON"],
];

/** Values of a header that an HTTP client agrees to send. */
const sendable = ODD.filter((text) => /^[\x20-\x7e]+$/.test(text));

/** JSON that has no business to be there; some of it passes for something else. */
const VALUES = [
  ...["null", "true", "0", "-0", "1e308", "1e400", "[]", "{}", "[null]", "[[]]"],
  ...['{"toString":null}', '{"valueOf":1}', '{"then":1}', '{"length":-1}', '{"toJSON":1}', '{"":{"":""}}'],
];

/** Well-formed cursors of nobody. */
const CURSORS = [
  ...["", "a", "AA", "AAAA", "=", "====", "A".repeat(7000), "-_-_", "+/+/"],
  ...["eyJpZCI6MX0", "bnVsbA", "W10", "AAAAAAAAAAAAAAAAAAAAAA"],
];

const QUERIES = ["%ed%a0%80", "%ff", "%c0%af", "%", "%u0041", "&&&=&=&", "[]=1&[]=2", "a[b][c]=1"];

/** Values that a header of this name is read for. */
const HEADERS = {
  Accept: [",", ";q=1", "a", "a/b;q=", "*/*;q=2", "*/*;q=0.0001", "/", "*/json", "text/*;q=x", ", ,", 'a/b;c="'],
  Range: ["bytes=0-0", "bytes=9-1", "x"],
  "Accept-Encoding": ["x", ";q=1", "gzip;q=x", ",", "identity;q=0, *;q=0"],
  "If-None-Match": ['"', 'W/"', "*", '"",', 'W/""', "abc", '"a" "b"'],
};
const TYPES = [";", "/", "application/json;", "application/json;charset", 'application/json;charset="'];

type Cases = readonly (readonly [text: string, options: CallOptions])[];

/** No call is the service's own fault; 503 is none: it may be overloaded. */
async function expectAnswered(api: Api, name: string, cases: Cases): Promise<void> {
  const judge = (reply: Reply) => {
    if (reply.status >= 500 && reply.status !== 503) fail("status", "an answer below 500", describe(reply));
  };
  for (const [text, options] of cases) await inCase(shown(text), async () => judge(await api.call(name, options)));
}

const of = (texts: readonly string[], options: (text: string) => CallOptions): Cases =>
  texts.map((text) => [text, options(text)]);

/** A body for `user.create`, whose data never fits. */
const create = (data: unknown) => ({ body: { "@": "user.create", data } });
const literal = (data: string) => ({ body: `{"@":"user.create","data":${data}}` });

/** Errors: what a request holds is at most wrong. What is judged together is sent together. */
export const odd: readonly Check[] = [
  check("errors/never-500#parameters", { effect: "hostile" }, async (api) => {
    await expectAnswered(api, "user.list", [
      ...of([...ODD, ...CURSORS], (cursor) => ({ input: { cursor } })),
      ...of(ODD, (limit) => ({ input: { limit }, query: [[limit, limit]] })),
      ...of(QUERIES, (raw) => ({ rawQuery: `@=user.list&${raw}` })),
    ]);
    for (const name of ODD) await expectAnswered(api, name, [[name, { query: [[name, name]] }]]);
  }),
  check("errors/never-500#members", { effect: "hostile" }, async (api) => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at]));
    await expectAnswered(api, "user.create", [
      ...of(ODD, (text) => create({ name: text, email: text })),
      ...of(ODD, (text) =>
        create(
          Object.fromEntries([
            ["name", ""],
            ["email", `${text}@example.com`],
            [text, 1],
          ]),
        ),
      ),
      ...of(ODD, (name) => ({ body: { "@": name, data: {} } })),
      ...of(VALUES, (value) => literal(`{"name":${value},"email":${value}}`)),
      ...of(VALUES, (value) => literal(`{"name":"Ada","email":${value}}`)),
      ...of(VALUES, literal),
      ...of(VALUES, (value) => ({ body: `{"@":${value},"data":${value}}` })),
      ["lone surrogates", { body: '{"@":"\\ud800","data":{"\\udc00":"\\ud800"}}' }],
      ["lone surrogates in members", literal('{"name":"\\ud800","email":"\\udfff@a"}')],
      ["five thousand members", create(many)],
    ]);
  }),
  check("errors/never-500#headers", { effect: "hostile" }, async (api) => {
    await expectAnswered(api, "user.list", [
      ...of(sendable, (text) => ({ headers: { "X-API-KEY": text, "X-Request-Id": text } })),
      ...of(sendable, (text) => ({ headers: { "X-PLATFORM": text, Origin: text } })),
      ...of(sendable, (text) => ({ headers: { Accept: text } })),
    ]);
    for (const [name, values] of Object.entries(HEADERS))
      for (const operation of ["user.list", "docs.get.README"])
        await expectAnswered(
          ...([api, operation] as const),
          of(values, (value) => ({ headers: { [name]: value } })),
        );
    await expectAnswered(api, "user.create", [
      ...of([...sendable, "x".repeat(8000)], (text) => ({ ...create({}), headers: { "Idempotency-Key": text } })),
      ...of([...sendable, ...TYPES], (text) => ({ ...create({}), headers: { "Content-Type": text } })),
      ...of(sendable, (text) => ({ ...create({}), headers: { "Content-Encoding": text } })),
    ]);
  }),
];
