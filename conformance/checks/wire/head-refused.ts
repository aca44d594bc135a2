import type { Api } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { readChunks } from "../../client/wire/chunks.ts";
import { check } from "../check.ts";
import { answered, ending } from "../probe.ts";
import { expectWhole } from "./connection.ts";
import { refusedEarly } from "./layers.ts";
import { ALL, at, type Case, converse, expectCases, type Sent, sysinfo } from "./support.ts";

/** Whether these bytes are the body that a response announces. */
function isBodyOf(reply: Reply, bytes: Buffer): boolean {
  if (reply.header("transfer-encoding") === undefined) return reply.header("content-length") === `${bytes.length}`;
  const read = readChunks(bytes, 0);
  return typeof read !== "string" && read.end === bytes.length;
}

/** A rejection by the HTTP parser, which may not know the method: without a body or with the announced one, then the end. */
async function expectParsersRefusal(api: Api, sent: Sent): Promise<Reply> {
  const raw = await converse(api, sent, { answers: ALL });
  const reply = answered(raw, "what was sent");
  if (raw.replies.length > 1 || (raw.leftover.length > 0 && !isBodyOf(reply, raw.leftover)))
    fail("body", "no body, or the one announced", ending(raw));
  if (!raw.closed) fail("connection", "the end of the connection", ending(raw));
  return reply;
}

/** HEAD requests that are rejected by the parser, and by the application. */
export const headRefused = check("http/head-refused", { effect: "hostile" }, async (api) => {
  const byHead = (cases: readonly Case[]) =>
    cases.flatMap(([what, sent, ...outcomes]): Case[] =>
      typeof sent === "object" && "target" in sent ? [[what, { ...sent, method: "HEAD" }, ...outcomes]] : [],
    );
  const atParser: readonly Case[] = [
    ...refusedEarly(api).filter(([, sent]) => typeof sent === "object" && !("method" in sent)),
    ["a field without a name", sysinfo(api, { headers: [["", "value"]] }), "malformed-request"],
  ];
  const behind: readonly Case[] = [
    ["an unknown operation", at(api, `/api/?@=no.${api.runId}`), "operation-not-found"],
    ["an unknown path", at(api, `/${api.runId}`), "path-not-found"],
    ["a broken query", at(api, "/api/?@=%zz"), "malformed-query"],
  ];
  await expectCases(api, byHead(atParser), expectParsersRefusal);
  await expectCases(api, byHead(behind), expectWhole);
});
