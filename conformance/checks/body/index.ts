import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { answered, inEach } from "../probe.ts";

/** Checks of a body that one plain request cannot show: how it arrives, its effect on later requests (D7). The rest is a list. */

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const harmless = JSON.stringify({ "@": "user.create", data: {} });
const post = (api: Api, body: string) => api.call("user.create", { body });

function inChunksOf(bytes: Buffer, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}

const POLLUTERS = [
  '"data":{"__proto__":{"polluted":"yes","status":299,"nextCursor":"polluted"}}',
  '"__proto__":{"polluted":"yes"},"data":{}',
  '"data":{"constructor":{"prototype":{"polluted":"yes"}}}',
  '"constructor":{"prototype":{"polluted":"yes"}},"data":{}',
].map((members) => `{"@":"user.create",${members}}`);

async function expectClean(api: Api): Promise<void> {
  const sysinfo = await api.call("sysinfo");
  const list = await api.call("user.list", { input: { limit: 1 } });
  const rejected = await post(api, harmless);
  for (const reply of [sysinfo, list, rejected])
    if (reply.text.includes("polluted"))
      fail("body", "responses without the members of an earlier request", describe(reply), reply);
  expectSuccess(sysinfo, "sysinfo");
  expectSuccess(list, "user.list");
  expectProblem(rejected, 422, "invalid-input");
}

export const body: readonly Check[] = [
  check("http/not-utf8#in-pieces", {}, async (api) => {
    // The longest valid name: a server that decodes a split character as two makes it too long.
    const data = { name: "\u{1f600}".repeat(200), email: "no address" };
    const bytes = Buffer.from(JSON.stringify({ "@": "user.create", data }));
    const fields = [["X-API-KEY", api.key], ["X-PLATFORM", api.platform], JSON_TYPE] as const;
    await inEach([1, 3, 5, 101], async (size) => {
      const headers = [...fields, ["Transfer-Encoding", "chunked"] as const];
      const request = { method: "POST", target: api.path("/api/"), headers, body: inChunksOf(bytes, size) };
      const reply = answered(await api.raw(api.rawRequest(request)), `a body in chunks of ${size} bytes`);
      const { errors } = expectProblem(reply, 422, "invalid-input");
      if (errors.some(({ pointer }) => pointer !== "#/data/email"))
        fail("body:/errors", "a name of 200 code points accepted", excerpt(JSON.stringify(errors)), reply);
    });
  }),
  check("http/proto-member#changes-no-later-answer", { effect: "hostile" }, (api) =>
    inEach(POLLUTERS, async (text) => {
      expectStatus(await post(api, text), 400, 422);
      await expectClean(api);
    }),
  ),
];
