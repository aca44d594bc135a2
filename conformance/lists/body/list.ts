import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { credentialFields, JSON_TYPE } from "../../checks/probe.ts";
import { nameOf } from "../../client/operation.ts";
import { wireOfLiteral } from "../../client/send.ts";
import type { Operation } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import { type Asking, type Case, type List, withCredentialsInQuery } from "../list.ts";

/** The body of a POST (D6, D7, D13): its declared type and its content. */

const FORM = "application/x-www-form-urlencoded";
const OTHER_TYPES = [
  ...["text/plain", "text/json", "text/html", "application/octet-stream", "application/xml", "*/*", "application/*"],
  ...["application/jsonx", "application/json5", "application/jsonl", "application/json-seq", "application/x-json"],
  ...["application/hal+json", "application/problem+json", "application/ld+json", "application/json-patch+json"],
  ...["application/merge-patch+json", "application/json+xml", "application/vnd.api+json", "json", "/json", ""],
  ...["application/jso", "xapplication/json", "application/json/x", "application json", "text/plain, application/json"],
  ...["application/json, text/plain", "text/plain; application/json", 'text/plain; a="application/json"', FORM],
  ...["text/plain; charset=utf-8", "application/json;", "application/json; ;", "application/json; charset", ";", "/"],
  ...['application/json;charset="', "application/json; version=1"],
];
const SPELLINGS = [
  ...["application/json", "APPLICATION/JSON", "Application/Json", "application/JSON"],
  ...["application/json;charset=utf-8", "application/json; charset=UTF-8", "application/json; charset=Utf-8"],
  ...['application/json; charset="utf-8"', 'application/json;charset="UTF-8"', "application/json; CHARSET=utf-8"],
  ...["APPLICATION/JSON; Charset=UTF-8", "application/json ; charset=utf-8", "application/json;  charset=utf-8"],
];
const CHARSETS = [
  ..."utf8 utf latin1 iso-8859-1 ISO-8859-15 us-ascii windows-1252 utf-7 utf-80 xutf-8 utf-16 utf-16le UTF-16BE utf-32 shift_jis"
    .split(" ")
    .map((name) => `application/json; charset=${name}`),
  ...['application/json; charset="utf-16"', "application/json;charset=latin1"],
  ...["application/json; CHARSET=ISO-8859-1", "application/json; version=1; charset=latin1"],
];
const CODED: readonly (readonly [coding: string, code: (bytes: Buffer) => Buffer])[] = [
  ...["gzip", "GZIP", "x-gzip", "identity, gzip", "gzip, identity"].map((name) => [name, gzipSync] as const),
  ...[["deflate", deflateSync] as const, ["deflate", deflateRawSync] as const, ["br", brotliCompressSync] as const],
  ["gzip, gzip", (bytes) => gzipSync(gzipSync(bytes))],
  ..."gzip deflate br zstd compress utf-8 aws-chunked x identityx identity Identity IDENTITY"
    .split(" ")
    .map((name) => [name, (bytes: Buffer) => bytes] as const),
];

const latin1 = (text: string) => Buffer.from(text).toString("latin1");
const LITERALS = [
  ..."NaN Infinity -Infinity undefined True None nul TRUE x 01 +1 .5 5. 0x10 1_000 1e --1 1n".split(" "),
  ...["'Ada'", "`Ada`", '"Ada', 'Ada"', '"A" "da"'],
  ...['"\\x41"', '"\\u12"', '"\\u{41}"', '"\\a"', '"\\"', '"A\nda"', '"A\tda"', '"A\u0000da"', '"A\u001fda"'],
  ...["[1,]", "[,1]", "[1", "{,}", "{1:2}", '{"a"}', '{"a":}', '{"a" 1}'],
  ...["1e400", "-1e400", "1e-400", "-0", "0.0", "1E+2", "123456789012345678901234567890", "[]", "{}"],
  ...['"a\\/b"', '"\\u0000"', '"\\ud800"', '"}]{[\\\\"', '"\u00e9\u00ff\u0100"', '"\u20ac\ud7ff\ue000\ufffd"'],
  ...['"\u{10000}\u{1f600}\u{10ffff}"', '"a\ufeffb"'],
];

/** Invalid and valid JSON (RFC 8259); `good` is a valid call. */
const texts = (good: string, name: string): readonly string[] => [
  ...["null", "true", "false", "0", "-0", "1", '""', `"${name}"`, "[]", "[[]]", "[null]", `["@","${name}"]`],
  ...[`[${good}]`, JSON.stringify(good), "", " ", "\n", "\r\n\t ", "\u0000"],
  ...[1, 2, 4, 6, 19, 20, 28, 30, -4, -3, -2, -1].map((cut) => good.slice(0, cut)),
  ...[..."}],;x0\u0000\u00a0", "{}", " null", '""', "//", "/**/", "&a=b", `\n${good}`].map((rest) => good + rest),
  ...[...")]}',\n while(1); data= // a\n".split(" "), ..."\u001e\u000b\u000c\u00a0\u2028(,"].map((each) => each + good),
  ...[good.replaceAll('"', "'"), good.replace('"data"', "data"), good.replace("}}", ",}}"), good.replace(/}$/, ",}")],
  ...[good.replace('"data"', '/* input */ "data"'), good.replace('"data"', '// input\n"data"')],
  ...[good.replace(',"data"', ' "data"'), good.replace(',"data"', ',,"data"'), good.replace('"data":', '"data"=')],
  ...[good.replace(/^{/, "(").replace(/}$/, ")"), good.replaceAll('"', "\u201d"), `@=${name}`],
  ...[encodeURIComponent(good), `"@": ${name}\ndata: {}\n`, `{"\\u0040":"${name}","d\\u0061ta":{}}`],
  ` \t\r\n{ "@" : "${name}" ,\n\t"data" : { } }\r\n\t `,
  ...[`{"data":{},"@":"${name}"}`, `{"@":"${name}","data":{"":1}}`],
];

/** Invalid UTF-8 bytes in hexadecimal (RFC 3629). */
const BAD_BYTES = "ff fe 80 e9 9394 e282 c3 c0af c080 e080af eda080 eda0bdedb880 f4908080 f888808080".split(" ");
const MARK = "\xef\xbb\xbf";

function bytes(good: string): readonly string[] {
  const wide = (text: string) => Buffer.from(text, "utf16le").toString("latin1");
  const swapped = (text: string) => Buffer.from(text, "utf16le").swap16().toString("latin1");
  return [
    ...[MARK + good, MARK + MARK + good, ` ${MARK}${good}`, good + MARK, MARK],
    ...[wide(good), wide(`\ufeff${good}`), swapped(good), swapped(`\ufeff${good}`)],
    [...good].map((each) => `${each}\0\0\0`).join(""),
    ...BAD_BYTES.map((hex) =>
      good.replace('"data":{', () => `"data":{"a":"x${Buffer.from(hex, "hex").toString("latin1")}y",`),
    ),
    ...[good.replace("{", '{"\xe9":1,'), good.replace(",", ",\xa0"), `${good}\xff`],
  ];
}

const arrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const mixed = (levels: number): string =>
  levels === 0 ? "1" : levels % 2 === 0 ? `[${mixed(levels - 1)}]` : `{"a":${mixed(levels - 1)}}`;

/** Bodies with this many levels, counting the body itself, at different places. */
const nested = (levels: number): readonly string[] => [
  ...[`"data":{"a":${arrays(levels - 2)}}`, `"data":{"a":${objects(levels - 2)}}`, `"data":${arrays(levels - 1)}`],
  ...[`"data":{"name":${mixed(levels - 2)}}`, `"data":{},"extra":${objects(levels - 1)}`],
  `"extra":${arrays(levels - 1)},"data":{}`,
  ...[`"data":[1,[2],{"b":[]}],"data":${arrays(levels - 1)}`, `"a":${arrays(levels - 1)},"a":1,"data":{}`],
  ...[`"a":"\\\\","data":{"a":"\\"","b":${arrays(levels - 2)}}`],
];
/** Brackets that are not nesting levels. */
const SHALLOW = [
  `"data":{"a":"${"[".repeat(40)}"}`,
  `"data":{"a":"\\"${"{".repeat(40)}"}`,
  `"data":{"a":[${Array.from({ length: 40 }, () => "[]").join()}]}`,
];

/** Bodies with this many of `{`, `[` and `,`, counting those of the body itself, in members, in a list, and of objects. */
const inParts = (parts: number): readonly string[] => {
  const more = parts - 2; // `{` and the comma after the name
  return [
    `"data":{${Array.from({ length: more }, (_, index) => `"a${index}":1`).join()}}`,
    `"data":{"a":[0${",0".repeat(more - 2)}]}`,
    `"data":[${Array(Math.floor(more / 2))
      .fill("{}")
      .join()}${more % 2 === 0 ? "" : ",1"}]`,
    `"a":"\\\\","data":{"a":"\\"[{,","b":[0${",0".repeat(more - 4)}]}`,
    `"a":[0${",0".repeat(more - 2)}],"a":1`,
  ];
};
/** Signs that are no parts. */
const PLAIN = [`"data":{"a":"${",".repeat(9_000)}"}`, `"data":{"a":"\\"${"[{,".repeat(9_000)}\\\\","b,":",[{"}`];

/** A member `__proto__` at different places, and members with similar names. */
const proto = (name: string, data: string): readonly string[] => [
  ...[`{"@":"${name}","data":{"__proto__":${data}}}`, `{"__proto__":{"@":"${name}","data":${data}}}`],
  ...[`{"@":"${name}","__proto__":{"data":${data}}}`, `{"@":"${name}","data":{"__proto__":null,"a":1}}`],
  ...[`{"@":"${name}","data":{"\\u005f_proto__":{}}}`, `{"@":"${name}","data":{"a":[{"b":{"__proto__":1}}]}}`],
  ...[`{"@":"${name}","data":[{"__proto__":[]}]}`, `{"data":${data},"@":"${name}","__proto__":1}`],
  `{"__proto__":1,"@":"${name}","data":{}}`,
  ...[`{"@":"no.such","data":{"__proto__":{}}}`, `{"data":${data},"__proto__":{"@":"${name}"}}`],
  ..."constructor prototype toString valueOf hasOwnProperty __defineGetter__ proto __proto __PROTO__"
    .split(" ")
    .map((one) => `{"@":"${name}","data":{"${one}":{}}}`),
  ...[
    '"constructor":{"prototype":{}}',
    '"constructor":{"prototype":{"a":1}}',
    '"prototype":{"constructor":{}}',
  ].flatMap((one) => [`{"@":"${name}","data":{${one}}}`, `{"@":"${name}","data":{},${one}}`]),
  ...['{"name":"__proto__"}', '{"unknown":["__proto__"]}', '{"a":{"__proto__":1},"a":1}'].map(
    (one) => `{"@":"${name}","data":${one}}`,
  ),
];

function* ofCommand(asking: Asking, operation: Operation): Generator<Case> {
  const { api, input, oracle } = asking;
  const [name, data] = [nameOf(operation), input(operation)];
  const good = latin1(JSON.stringify({ "@": name, data }));
  const harmless = JSON.stringify({ "@": name, data: {} });
  const credentials = credentialFields(api);
  // Alternates between headers and query.
  let sent = 0;
  const post = (body: string, headers: readonly (readonly [string, string])[] = [JSON_TYPE]): Request => {
    const request = wireOfLiteral(api, { method: "POST", target: "/api/", headers: [...credentials, ...headers] });
    sent += 1;
    return { ...(sent % 3 === 0 ? withCredentialsInQuery(request) : request), body };
  };
  for (const type of [...OTHER_TYPES, ...SPELLINGS, ...CHARSETS]) {
    const of = CHARSETS.includes(type)
      ? "http/charset"
      : SPELLINGS.includes(type)
        ? "http/media-type-spelling"
        : "http/media-type";
    // An accepted request creates nothing; a rejected one is valid except for its type.
    const probe = post(harmless, [["Content-Type", type]]);
    const rejected = oracle.predict(probe, asking.model).code === "unsupported-media-type";
    yield [of, probe];
    yield [of, post(harmless, [["cONTENT-tYPE", type]])];
    if (rejected) yield [of, post(good, [["Content-Type", type]])];
  }
  yield ["http/media-type", post(good, [])];
  // Other names, which some gateways treat as the same.
  for (const other of [
    ["Content_Type", "text/plain"],
    ["Content_Encoding", "gzip"],
  ] as const)
    for (const place of [(request: Request) => request, withCredentialsInQuery])
      yield ["http/media-type-spelling", place(post(harmless, [["Content-Type", "application/json"], other]))];
  for (const type of ["text/plain", FORM]) yield ["http/media-type", post("", [["Content-Type", type]])];
  for (const type of ["application/json", "text/plain"])
    yield [
      "http/media-type",
      post(good, [
        ["Content-Type", "application/json"],
        ["content-type", type],
      ]),
    ];
  const fields = {
    "@": name,
    ...Object.fromEntries(Object.entries(data).map(([member, value]) => [member, String(value)])),
  };
  const part = ([member, value]: [string, string]) =>
    `--part\r\nContent-Disposition: form-data; name="${member}"\r\n\r\n${value}\r\n`;
  yield ["http/media-type", post(new URLSearchParams(fields).toString(), [["Content-Type", FORM]])];
  yield [
    "http/media-type",
    post(`${Object.entries(fields).map(part).join("")}--part--\r\n`, [
      ["Content-Type", "multipart/form-data; boundary=part"],
    ]),
  ];
  for (const [coding, code] of CODED)
    for (const field of ["Content-Encoding", "content-encoding"])
      yield [
        "http/content-encoding",
        post(code(Buffer.from(/^identity$/i.test(coding) ? harmless : good, "latin1")).toString("latin1"), [
          ["Content-Type", "application/json"],
          [field, coding],
        ]),
      ];
  for (const text of texts(good, name)) yield ["http/malformed-json", post(latin1(text))];
  for (const literal of LITERALS)
    yield ["http/malformed-json", post(latin1(`{"@":"${name}","data":{"name":${literal}}}`))];
  for (const text of bytes(good)) yield ["http/not-utf8", post(text)];
  for (const text of ["\u00e9\u{1f600}", "a\ufeffb"])
    yield ["http/not-utf8", post(latin1(`{"@":"${name}","data":{"${text}":"${text}"}}`))];
  const { bodyDepth, bodyParts, bodyBytes } = oracle.contract.limits;
  const half = bodyDepth / 2;
  for (const levels of [3, half, half + 1, bodyDepth - 1, bodyDepth, bodyDepth + 1, bodyDepth + 2, 200])
    for (const members of nested(levels)) yield ["http/nesting", post(`{"@":"${name}",${members}}`)];
  // Nothing that is slow to parse, or overflows a recursive parser.
  for (const deep of [arrays(30_000), "[".repeat(60_000), '{"a":'.repeat(10_000)])
    yield ["http/nesting", post(`{"@":"${name}","data":${deep}}`)];
  for (const members of SHALLOW) yield ["http/nesting", post(`{"@":"${name}",${members}}`)];
  for (const parts of [bodyParts - 1, bodyParts, bodyParts + 1, bodyParts + 2, 2 * bodyParts])
    for (const members of inParts(parts)) yield ["http/body-parts", post(`{"@":"${name}",${members}}`)];
  for (const members of PLAIN) yield ["http/body-parts", post(`{"@":"${name}",${members}}`)];
  for (const text of proto(name, JSON.stringify(data))) yield ["http/proto-member", post(latin1(text))];
  yield ["http/body-limit", post(good.padEnd(bodyBytes + 1))];
  for (const size of [bodyBytes / 2, bodyBytes / 2 + 1, bodyBytes - 1, bodyBytes, bodyBytes + 1, bodyBytes + 2]) {
    for (const place of [(request: Request) => request, withCredentialsInQuery])
      yield ["http/body-limit", place(post(harmless.padEnd(size)))];
    yield ["http/body-limit", post(`{"@":"${name}","data":{"a":"${"x".repeat(size - harmless.length - 6)}"}}`)];
    // In fewer characters; and by a client that waits before it sends the body.
    const text = "\xc3\xa9".repeat((size - harmless.length - 6) / 2).padEnd(size - harmless.length - 6, "e");
    yield ["http/body-limit", post(`{"@":"${name}","data":{"a":"${text}"}}`)];
    for (const value of ["100-continue", "100-Continue"])
      yield ["http/body-limit", post(harmless.padEnd(size), [JSON_TYPE, ["Expect", value]])];
  }
}

export const body: List = function* (asking) {
  const { operations } = asking;
  for (const operation of operations.filter(({ method }) => method === "POST")) yield* ofCommand(asking, operation);
  const { bodyBytes } = asking.oracle.contract.limits;
  const query = operations.find(({ method, auth, pattern }) => method === "GET" && !auth && pattern === null);
  for (const target of [`/api/?@=${query?.name}`, "/", "/robots.txt", "/no-such-path"])
    for (const size of [1, bodyBytes, bodyBytes + 1])
      for (const method of ["GET", "HEAD"])
        yield ["http/body-limit-on-get", wireOfLiteral(asking.api, { method, target, body: "x".repeat(size) })];
};
