import type { Api } from "../../client/api.ts";
import { describe, expectSuccess, fail } from "../../client/expect.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, credentialFields, shown } from "../probe.ts";
import {
  answerTo,
  at,
  chunked,
  emptyCreate,
  expectOutcome,
  type Field,
  refusedPost,
  requestOf,
  type Sent,
  sysinfo,
} from "./support.ts";

const PROTOTYPE = ["__proto__", "constructor", "toString", "hasOwnProperty"];

const BODIES = [
  ..."null,true,0,[],{},[1e999],".split(","),
  ...['""', " ", '{"@":null}', '{"@":[]}', '{"@":{}}', '{"@":1e999}', '{"@":"\\u0000"}', '{"@":"\\ud800"}'],
  ...['{"__proto__":{"status":"broken"}}', '{"constructor":{"prototype":{"status":"broken"}}}'],
  ...PROTOTYPE.map((name) => `{"@":"${name}","data":{}}`),
  ...["null", "[]", '"x"', '{"name":{},"email":[]}', '{"name":1,"email":null}', '{"toString":1}'].map(create),
  ...['{"__proto__":{"status":"broken"}}', '{"name":"\\ud800","email":"\\ud800"}'].map(create),
  `{"@":"${"x".repeat(60_000)}"}`,
  ...["\x00", "\xff\xfe{\x00}\x00", "\xef\xbb\xbf{}", '{"@":"\xc3\x28"}', "\x1f\x8b\x08\x00\x00"],
];

function create(data: string): string {
  return `{"@":"user.create","data":${data}}`;
}

/** Texts that break software which interprets them. */
const ODD = [
  ...["\u0000", "a\u0000b", "\ufffe\uffff", "\u202e", "\u{1f600}".repeat(50), "\u0130\u0131\u017f\u212a", "\r\n"],
  ...["%", "%00", "'", '"', "\\", "`", "';--", "' OR '1'='1", "#{7*7}", "{{7*7}}", "<x>", "../../etc/passwd"],
  ...["null", "undefined", "NaN", "-1", "1e309", "9".repeat(400), "[]", "{}", "[object Object]"],
  ...["then", "length", "toJSON", ...PROTOTYPE],
];
/** JSON values of wrong types, some with special member names. */
const VALUES = [
  ...["null", "true", "0", "-0", "1e308", "1e400", "[]", "{}", "[null]", "[[]]"],
  ...['{"toString":null}', '{"valueOf":1}', '{"then":1}', '{"length":-1}', '{"toJSON":1}', '{"":{"":""}}'],
];
/** Well-formed cursors that were never issued. */
const CURSORS = [
  ...["", "a", "AA", "AAAA", "=", "====", "A".repeat(7000), "-_-_", "+/+/"],
  ...["eyJpZCI6MX0", "bnVsbA", "W10", "AAAAAAAAAAAAAAAAAAAAAA"],
];

/** In UTF-8, with one character for each byte. */
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("latin1");
const ODD_BODIES = [
  ...ODD.flatMap((text) => [
    create(json({ name: text, email: text })),
    create(json({ name: "", email: `${text}@example.com`, [text]: 1 })),
    json({ "@": text, data: {} }),
  ]),
  ...VALUES.flatMap((value) => [
    ...[`{"name":${value},"email":${value}}`, `{"name":"Ada","email":${value}}`, value].map(create),
    `{"@":${value},"data":${value}}`,
  ]),
  ...['{"@":"\\ud800","data":{"\\udc00":"\\ud800"}}', create('{"name":"\\ud800","email":"\\udfff@a"}')],
  create(json(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at])))),
];

const QUERIES = [
  ...PROTOTYPE.flatMap((name) => [`@=${name}`, `@=docs.get.${name}`, `@=sysinfo&${name}=1`]),
  ..."@=docs.get...%2f..%2fetc%2fpasswd @=docs.get.%00 @=%00 @=%ff @=% @ @= = & @[]=sysinfo @[a]=b".split(" "),
  ..."@=sysinfo&__proto__[a]=1 @=user.list&limit=1e999 @=user.list&limit=%ff @=user.list&cursor=%00".split(" "),
  ..."@=user.list&cursor=%27%20OR%201=1-- @=user.list&cursor=__proto__ X-API-KEY=%00&@=user.list".split(" "),
  ..."X-API-KEY=__proto__&X-PLATFORM=constructor&@=user.list @=sysinfo&@=sysinfo&@=sysinfo".split(" "),
];

const ODD_QUERIES = [
  ..."%ed%a0%80 %ff %c0%af % %u0041 &&&=&=& []=1&[]=2 a[b][c]=1".split(" ").map((raw) => `@=user.list&${raw}`),
  ...[...ODD, ...CURSORS].map((text) => `@=user.list&cursor=${encodeURIComponent(text)}`),
  ...ODD.map(encodeURIComponent).flatMap((text) => [`@=user.list&limit=${text}&${text}=1`, `@=${text}&${text}=1`]),
];

/** Field values that are repeated up to 8,000 bytes. */
const LONG = `Accept *|Accept ,|Accept a/b;q=|Accept-Encoding ,;q=,|If-None-Match ",|If-None-Match W/|Range bytes=0-,
X-API-KEY x|Idempotency-Key x|Origin x|Cookie a=b;|Content-Type a/b;|X-Forwarded-For ,|Connection upgrade, keep-alive, `;
const SHORT = `If-Modified-Since never|Range bytes=-1|Upgrade websocket|TE trailers|Accept \xff|X-API-KEY \xff\xfe
Accept ,|Accept ;q=1|Accept a|Accept a/b;q=|Accept */*;q=2|Accept */*;q=0.0001|Accept /|Accept */json|Accept text/*;q=x
Accept , ,|Accept a/b;c="|Range bytes=0-0|Range bytes=9-1|Range x|Accept-Encoding x|Accept-Encoding ;q=1
Accept-Encoding gzip;q=x|Accept-Encoding ,|Accept-Encoding identity;q=0, *;q=0|If-None-Match "|If-None-Match W/"
If-None-Match *|If-None-Match "",|If-None-Match W/""|If-None-Match abc|If-None-Match "a" "b"`;

const FIELDS: readonly Field[] = [
  ...fieldsOf(LONG, (value) => value.repeat(8000 / value.length)),
  ...fieldsOf(SHORT, (value) => value),
  ...PROTOTYPE.map((name): Field => [name, "x"]),
];

function fieldsOf(lines: string, said: (value: string) => string): Field[] {
  return lines.split(/[|\n]/).map((line) => {
    const [name = "", ...value] = line.split(" ");
    return [name, said(value.join(" "))];
  });
}

const sendable = ODD.filter((text) => /^[\x20-\x7e]+$/.test(text));
/** Fields that are sent together: a server may reject one of them before it reads the other. */
const ODD_FIELDS = [["X-API-KEY", "X-Request-Id"], ["X-PLATFORM", "Origin"], ["Accept"]];
const ODD_TYPES = [";", "/", "application/json;", "application/json;charset", 'application/json;charset="'];

const UPGRADE = fieldsOf("Connection Upgrade|Upgrade h2c|HTTP2-Settings AAMAAABkAAQAAP__", (value) => value);

const GARBAGE = ["\r\n", "\x00", "GET ", ":\r\n", "\xff".repeat(70)].map((bytes) => bytes.repeat(1000));

/** Bytes, and whether the sender closes the connection without reading. */
type Attack = readonly [sent: Sent, leaves?: boolean];

const withBody = (api: Api, body: string | Buffer): Attack => [{ ...refusedPost(api), body }];
const cut = (bytes: Buffer, ...lengths: readonly number[]) =>
  lengths.map((length): Attack => [bytes.subarray(0, length < 0 ? bytes.length + length : length), true]);
const times = <T>(count: number, make: () => readonly T[]) => Array.from({ length: count }, make).flat();

/** Attacks, by kind. */
const ATTACKS: Readonly<Record<string, (api: Api) => readonly Attack[]>> = {
  "half-requests": (api) => {
    const whole = api.rawRequest(refusedPost(api));
    return times(5, () => cut(whole, 0, 1, 5, 40, -emptyCreate.length - 2, -5));
  },
  "aborted-answers": (api) => {
    const request = api.rawRequest(at(api, "/api/?@=docs.get.reference", { connection: null }));
    return times(5, () => [[Buffer.concat(times(20, () => [request])), true]]);
  },
  "aborted-chunks": (api) =>
    cut(api.rawRequest(chunked(refusedPost(api), emptyCreate.padEnd(5000), 100)), -5, -100, -4000),
  "hostile-json": (api) => [...[...BODIES, ...ODD_BODIES].map((body) => withBody(api, Buffer.from(body, "latin1")))],
  "hostile-queries": (api) => {
    const headers = credentialFields(api);
    const keyed = [...QUERIES.filter((query) => !query.includes("X-API-KEY")), ...ODD_QUERIES];
    return [
      ...QUERIES.map((query): Attack => [at(api, `/api/?${query}`)]),
      ...keyed.map((query): Attack => [at(api, `/api/?${query}`, { headers })]),
    ];
  },
  "hostile-headers": (api) => {
    const target = "/api/?@=docs.get.README";
    const list = requestOf(api, "user.list");
    const fields = sendable.flatMap((text) => ODD_FIELDS.map((names) => names.map((name): Field => [name, text])));
    const ofBodies = [
      ...[...sendable, "x".repeat(8000)].map((text): Field => ["Idempotency-Key", text]),
      ...[...sendable, ...ODD_TYPES].map((text): Field => ["Content-Type", text]),
      ...sendable.map((text): Field => ["Content-Encoding", text]),
    ];
    const beside = (request: RawRequest, more: readonly Field[]): Attack => {
      const names = more.map(([name]) => name);
      return [{ ...request, headers: [...(request.headers ?? []).filter(([name]) => !names.includes(name)), ...more] }];
    };
    return [
      ...FIELDS.flatMap((field): Attack[] => [[at(api, target, { headers: [field] })], beside(list, [field])]),
      [at(api, target, { headers: UPGRADE }), true],
      ...fields.map((some) => beside(list, some)),
      ...ofBodies.map((field) => beside(refusedPost(api), [field])),
    ];
  },
  garbage: () => GARBAGE.map((bytes) => [bytes, true]),
};

/** Sends an attack. A response may be missing, but no response may have a 5xx status. */
async function send(api: Api, [sent, leaves = false]: Attack): Promise<void> {
  const bytes = typeof sent === "string" || Buffer.isBuffer(sent) ? sent : api.rawRequest(sent);
  const { replies } = await api.raw(bytes, leaves ? { closeAfter: true } : { timeoutMs: 5000 });
  const fault = replies.find(({ status }) => status >= 500);
  const what = shown(bytes.toString("latin1"));
  if (fault) fail("status", `no fault of the server (${what})`, describe(fault));
}

/** Runs the attack. After it, the deployment responds, and calls that succeeded before succeed again. */
async function expectRightAfter(api: Api, attack: () => Promise<void>): Promise<void> {
  const looks = [
    async () => expectSuccess(await api.call("user.list", { input: { limit: 1 } }), "user.list"),
    async () => expectOutcome(await api.call("user.create", { body: emptyCreate }), "invalid-input"),
  ];
  const before = await Promise.allSettled(looks.map((look) => look()));
  await attack();
  await api.alive();
  for (const [index, look] of looks.entries()) if (before[index]?.status === "fulfilled") await look();
}

/** After any traffic, the deployment still works (D13). */
export const stayingAlive: readonly Check[] = [
  ...Object.entries(ATTACKS).map(([name, attacks]) =>
    check(`http/stays-alive#${name}`, { effect: "hostile" }, async (api) => {
      await expectRightAfter(api, async () => {
        for (const attack of attacks(api)) await send(api, attack);
      });
    }),
  ),
  check("http/stays-alive#many-connections", { effect: "hostile" }, async (api) => {
    await expectRightAfter(api, async () => {
      await Promise.all(times(50, () => [send(api, ["GET /api/?@=sys", true])]));
    });
  }),
  check("http/stays-alive#in-pieces", { effect: "hostile" }, async (api) => {
    await expectRightAfter(api, async () => {
      // More bytes on the wire than the body limit; the body itself has fewer.
      expectOutcome(await answerTo(api, chunked(refusedPost(api), emptyCreate.padEnd(64_000), 16)), "invalid-input");
      const segments = Array.from(api.rawRequest(sysinfo(api)), (byte) => Buffer.from([byte]));
      expectOutcome(answered(await api.raw(segments), "a request in segments of one byte"), "sysinfo");
    });
  }),
  check("http/stays-alive#aborted-create", { effect: "write", alone: true }, async (api) => {
    const data = api.example("user.create");
    const whole = api.rawRequest(requestOf(api, "user.create", { input: data }));
    // All but the last byte: a server that does not wait for it would create a user, or part of one.
    await expectRightAfter(api, async () => {
      for (const attack of times(5, () => cut(whole, -1))) await send(api, attack);
    });
    const created = await api.call("user.create", { input: data });
    if (created.status === 409) fail("state", "a request that never came whole to create nobody", describe(created));
    expectSuccess(created, "user.create");
  }),
];
