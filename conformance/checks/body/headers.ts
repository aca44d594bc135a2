import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Api } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { callRaw } from "../credentials/raw-call.ts";
import { expectRefusedAs, inCase, inEach, toJudge } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { expectInput, goodBody, post, readableBody } from "./post.ts";

/** The header fields that describe a body: `application/json` in UTF-8, without a content coding (D6). */

const FORM = "application/x-www-form-urlencoded";

/** Types that are not JSON's, near and far. */
const OTHER_TYPES = [
  ...["text/plain", "text/json", "text/html", "application/octet-stream", "application/xml", "*/*", "application/*"],
  ...["application/jsonx", "application/json5", "application/jsonl", "application/json-seq", "application/x-json"],
  ...["application/hal+json", "application/problem+json", "application/ld+json", "application/json-patch+json"],
  ...["application/merge-patch+json", "application/json+xml", "application/vnd.api+json", "json", "/json"],
  ...[
    "application/jso",
    "xapplication/json",
    "application/json/x",
    "application json",
    "text/plain, application/json",
    "application/json, text/plain",
  ],
  ...["text/plain; application/json", 'text/plain; a="application/json"', "text/plain; charset=utf-8", FORM],
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

/** Bodies that are what they say. */
const CODED: readonly (readonly [coding: string, code: (bytes: Buffer) => Buffer])[] = [
  ...["gzip", "GZIP", "x-gzip", "identity, gzip", "gzip, identity"].map((name) => [name, gzipSync] as const),
  ...[["deflate", deflateSync] as const, ["deflate", deflateRawSync] as const, ["br", brotliCompressSync] as const],
  ["gzip, gzip", (bytes) => gzipSync(gzipSync(bytes))],
];

/** Said of plain JSON: nothing but the header keeps it from being taken. */
const CODINGS = "gzip deflate br zstd compress utf-8 aws-chunked x identityx".split(" ");

const expectUnsupported = (reply: Reply) => expectRefusedAs(reply, "unsupported-media-type");

function expectAccept(reply: Reply): void {
  expectUnsupported(reply);
  const types = (reply.header("accept") ?? "").split(",").map((type) => type.split(";", 1)[0]?.trim().toLowerCase());
  if (!types.includes("application/json"))
    fail("header:accept", "Accept: application/json beside 415", reply.header("accept") ?? "no Accept");
}

function expectAcceptEncoding(reply: Reply): void {
  expectUnsupported(reply);
  if (reply.header("accept-encoding") === undefined)
    fail("header:accept-encoding", "Accept-Encoding beside 415", "no Accept-Encoding");
}

/** Header fields, and a body that would create the user with this address. */
type Row = readonly [headers: Readonly<Record<string, string | null>>, body?: (email: string) => string | Buffer];
const typed = (type: string | null): Row => [{ "Content-Type": type }];

/** Each is refused, and nobody is created by it. */
async function expectAllRefused(api: Api, rows: readonly Row[], judge: (reply: Reply) => void): Promise<void> {
  const email = api.email();
  for (const [headers, body = goodBody] of toJudge(rows, "request"))
    await inCase(JSON.stringify(headers), async () => judge(await post(api, body(email), headers)));
  expectInput(await post(api, readableBody));
  await expectNotCreated(api, [email]);
}

/** The fields of forms that would create, as other servers read them. */
const FIELDS: readonly ((email: string) => Readonly<Record<string, string>>)[] = [
  (email) => ({ name: "Ada", email }),
  (email) => ({ "data[name]": "Ada", "data[email]": email }),
  (email) => ({ data: JSON.stringify({ name: "Ada", email }) }),
];

const FORMS: readonly Row[] = FIELDS.flatMap((fieldsFor): Row[] => {
  const fields = (email: string) => ({ "@": "user.create", ...fieldsFor(email) });
  const part = ([name, value]: [string, string]) =>
    `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return [
    [{ "Content-Type": FORM }, (email) => new URLSearchParams(fields(email)).toString()],
    [
      { "Content-Type": "multipart/form-data; boundary=part" },
      (email) => `${Object.entries(fields(email)).map(part).join("")}--part--\r\n`,
    ],
  ];
});

export const headers: readonly Check[] = [
  check("http/media-type#other", { effect: "write" }, (api) =>
    expectAllRefused(api, [...OTHER_TYPES, null, ""].map(typed), expectAccept),
  ),
  check("http/media-type#form", { effect: "write" }, (api) => expectAllRefused(api, FORMS, expectAccept)),
  check("http/media-type#without-a-body", {}, (api) =>
    inEach([null, "text/plain", FORM], async (type) => expectAccept(await post(api, "", { "Content-Type": type }))),
  ),
  check("http/media-type#twice", {}, (api) =>
    inEach(["application/json", "text/plain"], async (type) =>
      expectAccept(await callRaw(api, "user.create", [["content-type", type]])),
    ),
  ),
  check("http/media-type-spelling", {}, (api) =>
    inEach(SPELLINGS, async (type) => expectInput(await post(api, readableBody, { "Content-Type": type }))),
  ),
  check("http/charset", { effect: "write" }, (api) => expectAllRefused(api, CHARSETS.map(typed), expectUnsupported)),

  check("http/content-encoding#coded", { effect: "write" }, (api) => {
    const coded = CODED.map(
      ([name, code]): Row => [{ "Content-Encoding": name }, (email) => code(Buffer.from(goodBody(email)))],
    );
    const said = CODINGS.map((name): Row => [{ "Content-Encoding": name }]);
    return expectAllRefused(api, [...coded, ...said], expectAcceptEncoding);
  }),
  check("http/content-encoding#identity", {}, (api) =>
    inEach(["identity", "Identity"], async (name) =>
      expectInput(await post(api, readableBody, { "Content-Encoding": name })),
    ),
  ),
];
