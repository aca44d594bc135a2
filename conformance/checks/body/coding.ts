import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Api } from "../../client/api.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { goodBody, post, readableBody } from "./post.ts";

type Coded = readonly [coding: string, code: (bytes: Buffer) => Buffer];

const plain = (bytes: Buffer) => bytes;

/** Bodies that are what they say. */
const CODED: readonly Coded[] = [
  ["gzip", gzipSync],
  ["GZIP", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
  ["identity, gzip", gzipSync],
  ["gzip, identity", gzipSync],
  ["gzip, gzip", (bytes) => gzipSync(gzipSync(bytes))],
];

/** Bodies that are plain JSON whatever the header says: nothing but the header keeps them from being taken. */
const PLAIN: readonly Coded[] = [
  "gzip",
  "deflate",
  "br",
  "zstd",
  "compress",
  "utf-8",
  "aws-chunked",
  "x",
  "identityx",
].map((coding) => [coding, plain]);

async function expectUnsupported(api: Api, bodies: readonly Coded[]): Promise<void> {
  const email = api.email();
  for (const [coding, code] of bodies)
    await inCase(`Content-Encoding: ${coding}`, async () => {
      const reply = await post(api, code(Buffer.from(goodBody(email))), { "Content-Encoding": coding });
      expectProblem(reply, 415, "unsupported-media-type", "user.create");
      if (reply.header("accept-encoding") === undefined)
        fail("status", "Accept-Encoding beside 415", "no Accept-Encoding");
    });
  await expectNotCreated(api, [email]);
}

/** No content coding but identity (D6). */
export const coding: readonly Check[] = [
  check("http/content-encoding#coded", { effect: "write" }, (api) => expectUnsupported(api, CODED)),
  check("http/content-encoding#named-only", { effect: "write" }, (api) => expectUnsupported(api, PLAIN)),
  check("http/content-encoding#identity", {}, async (api) => {
    for (const name of ["identity", "Identity"])
      await inCase(`Content-Encoding: ${name}`, async () => {
        const reply = await post(api, readableBody, { "Content-Encoding": name });
        if (reply.status === 415) fail("body", "identity taken", describe(reply));
        expectProblem(reply, 422, "invalid-input", "user.create");
      });
  }),
];
