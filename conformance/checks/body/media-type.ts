import type { Api } from "../../client/api.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { callRaw } from "../credentials/raw-call.ts";
import { inCase } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { goodBody, post, readableBody } from "./post.ts";

const FORM = "application/x-www-form-urlencoded";

/** Types that are not JSON's, near and far. */
const OTHER_TYPES = [
  ...["text/plain", "text/json", "text/html", "application/octet-stream", "application/xml", "*/*", "application/*"],
  ...["application/jsonx", "application/json5", "application/jsonl", "application/json-seq", "application/x-json"],
  ...["application/hal+json", "application/problem+json", "application/ld+json", "application/json-patch+json"],
  ...["application/merge-patch+json", "application/json+xml", "application/vnd.api+json", "json", "/json"],
  ...["application/jso", "xapplication/json", "application/json/x", "application json", "text/plain, application/json"],
  ...["text/plain; application/json", 'text/plain; a="application/json"', "text/plain; charset=utf-8"],
];

function expectAccept(reply: Reply): void {
  expectProblem(reply, 415, "unsupported-media-type", "user.create");
  const types = (reply.header("accept") ?? "").split(",").map((type) => type.split(";", 1)[0]?.trim().toLowerCase());
  if (!types.includes("application/json"))
    fail("status", "Accept: application/json beside 415", reply.header("accept") ?? "no Accept");
}

/** Each is refused, and nobody is created by it. */
async function expectUnsupported(
  api: Api,
  types: readonly (string | null)[],
  judge: (reply: Reply) => void = expectAccept,
): Promise<void> {
  const email = api.email();
  expectRead(await post(api, readableBody), "application/json");
  for (const type of types)
    await inCase(`Content-Type: ${type ?? "none"}`, async () =>
      judge(await post(api, goodBody(email), { "Content-Type": type })),
    );
  await expectNotCreated(api, [email]);
}

/** The type is taken: what is refused is the input. */
function expectRead(reply: Reply, type: string): void {
  if (reply.status === 415) fail("body", `${type} taken`, describe(reply));
  expectProblem(reply, 422, "invalid-input", "user.create");
}

/** `application/json` in UTF-8 (D6). */
export const mediaType: readonly Check[] = [
  check("http/media-type#other", { effect: "write" }, (api) => expectUnsupported(api, OTHER_TYPES)),
  check("http/media-type#missing", { effect: "write" }, (api) => expectUnsupported(api, [null, ""])),
  check("http/media-type#without-a-body", {}, async (api) => {
    for (const type of [null, "text/plain", FORM])
      await inCase(`Content-Type: ${type ?? "none"}`, async () =>
        expectAccept(await post(api, "", { "Content-Type": type })),
      );
  }),
  check("http/media-type#twice", {}, async (api) => {
    for (const type of ["application/json", "text/plain"])
      await inCase(`${type} before application/json`, async () =>
        expectAccept(await callRaw(api, "user.create", [["content-type", type]])),
      );
  }),
  check("http/media-type#form", { effect: "write" }, async (api) => {
    const email = api.email();
    const input = new URLSearchParams({ "@": "user.create", name: "Ada", email });
    const nested = new URLSearchParams({ "@": "user.create", "data[name]": "Ada", "data[email]": email });
    const json = new URLSearchParams({ "@": "user.create", data: JSON.stringify({ name: "Ada", email }) });
    for (const form of [input, nested, json]) expectAccept(await post(api, form.toString(), { "Content-Type": FORM }));
    expectAccept(await post(api, goodBody(email), { "Content-Type": FORM }));
    await expectNotCreated(api, [email]);
  }),
  check("http/media-type#multipart", { effect: "write" }, async (api) => {
    const email = api.email();
    const fields = { "@": "user.create", data: JSON.stringify({ name: "Ada", email }), name: "Ada", email };
    const parts = Object.entries(fields).map(
      ([name, value]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const headers = { "Content-Type": "multipart/form-data; boundary=part" };
    expectAccept(await post(api, `${parts.join("")}--part--\r\n`, headers));
    await expectNotCreated(api, [email]);
  }),
  check("http/media-type-spelling", {}, async (api) => {
    const types = [
      ...["application/json", "APPLICATION/JSON", "Application/Json", "application/JSON"],
      ...["application/json;charset=utf-8", "application/json; charset=UTF-8", "application/json; charset=Utf-8"],
      ...['application/json; charset="utf-8"', 'application/json;charset="UTF-8"', "application/json; CHARSET=utf-8"],
      ...["APPLICATION/JSON; Charset=UTF-8", "application/json ; charset=utf-8", "application/json;  charset=utf-8"],
    ];
    for (const type of types)
      await inCase(type, async () => expectRead(await post(api, readableBody, { "Content-Type": type }), type));
  }),
  check("http/charset", { effect: "write" }, async (api) => {
    const charsets = ["latin1", "iso-8859-1", "ISO-8859-15", "us-ascii", "windows-1252", "utf-7", "utf-80", "xutf-8"];
    const types = [
      ...[...charsets, "utf-16", "utf-16le", "UTF-16BE", "utf-32", "shift_jis"].map((name) => `; charset=${name}`),
      ...['; charset="utf-16"', ";charset=latin1", "; CHARSET=ISO-8859-1", "; version=1; charset=latin1"],
    ].map((parameters) => `application/json${parameters}`);
    await expectUnsupported(api, types, (reply) => expectProblem(reply, 415, "unsupported-media-type", "user.create"));
  }),
];
