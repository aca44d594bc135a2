import type { Api } from "../../client/api.ts";
import { codingOf, decoded } from "../../client/coding.ts";
import { fail } from "../../client/expect.ts";
import { commands, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check, checkAll } from "../check.ts";
import { answered, ending, inCase } from "../probe.ts";
import { pages, refusedEarly, type Written } from "./layers.ts";
import { ALL, converse, expectCases, expectOutcome, requestOf, type Sent, sysinfo, withFields } from "./support.ts";

/** Checks that there is one complete response, nothing after it, and the end of the connection. */
export async function expectWhole(api: Api, sent: Sent): Promise<Reply> {
  const raw = await converse(api, sent, { answers: ALL });
  const reply = answered(raw, "what was sent");
  if (raw.replies.length > 1 || raw.leftover.length > 0) fail("body", "as many bytes as announced", ending(raw));
  if (!raw.closed) fail("connection", "the end of the connection", ending(raw));
  const lengths = reply.headerValues("content-length");
  const [length = "0"] = lengths;
  if (lengths.length > 1) fail("header:content-length", "one Content-Length", lengths.join(", "));
  if (reply.header("transfer-encoding") !== undefined && lengths.length > 0)
    fail("header:content-length", "Content-Length or Transfer-Encoding", "both");
  if (!/^\d+$/.test(length)) fail("header:content-length", "a Content-Length in digits", length);
  return reply;
}

const fieldOf = ({ answer }: Exchange, name: string) =>
  answer?.headers.find(([field]) => field.toLowerCase() === name)?.[1];

/** Whether a response has a complete representation. */
const isWhole = ({ request, answer }: Exchange): boolean =>
  // Of pipelined requests only the first is recorded, so the body of a response must be checked as well.
  answer?.status === 200 && request.method !== "HEAD" && answer.body.length > 0;

/** RFC 9110, 8.6: a response without content has no `Content-Length`, or that of the earlier 200 with the same tag. */
const noContent = checkAll("http/no-content-length", (exchange, _, { memory }) => {
  const { status } = exchange.answer ?? {};
  const length = fieldOf(exchange, "content-length");
  const tag = fieldOf(exchange, "etag");
  if (tag !== undefined && isWhole(exchange)) memory.set(tag, `${exchange.answer?.body.length}`);
  if (length === undefined || exchange.request.method === "CONNECT") return;
  if (status === 204) fail("header:content-length", "a 204 without Content-Length", length);
  if (status !== 304) return;
  const wanted = memory.get(tag ?? "");
  // A representation has content: even if its 200 was not recorded, its length is not 0.
  if (wanted === undefined ? length === "0" : length !== wanted)
    fail(
      "header:content-length",
      `a 304 without Content-Length, or with that of its 200, ${wanted ?? "not 0"}`,
      length,
    );
});

/** Checks that the response is complete, and that its coding, if any, is an accepted one. */
async function expectCoded(api: Api, request: RawRequest, codings: readonly string[]): Promise<void> {
  const reply = await expectWhole(api, withFields(request, ["Accept-Encoding", codings.join(", ")]));
  const sent = codingOf(reply);
  if (!["identity", ...codings].includes(sent))
    fail("header:content-encoding", `${codings.join(" or ")} or nothing as Content-Encoding`, sent);
  if (request.method !== "HEAD" && reply.body.length > 0) decoded(reply);
}

const operations = (api: Api): readonly Written[] =>
  queries.flatMap(({ id }): Written[] => [
    [requestOf(api, id), id],
    [requestOf(api, id, { method: "HEAD" }), 200],
  ]);

const everything = (api: Api) => [...operations(api), ...pages(api)];

const named = ({ method = "GET", target }: RawRequest) => `${method} ${target}`;

const lengths: readonly Check[] = [
  ...Object.entries({ operations, pages }).map(([name, requests]) =>
    check(`http/content-length#${name}`, {}, async (api) => {
      for (const [request, outcome] of requests(api))
        await inCase(named(request), async () => {
          expectOutcome(await expectWhole(api, request), outcome);
          await expectCoded(api, request, name === "pages" ? ["gzip", "br"] : ["gzip"]);
        });
    }),
  ),
  ...commands.map(({ id }) =>
    check(`http/content-length#${id}`, { effect: "write" }, async (api) => {
      expectOutcome(await expectWhole(api, requestOf(api, id, { input: api.example(id) })), id);
      await expectCoded(api, requestOf(api, id, { input: api.example(id) }), []);
    }),
  ),
  check("http/content-length#refusals", { effect: "hostile" }, (api) =>
    expectCases(api, refusedEarly(api), expectWhole),
  ),
];

/** Other forms of a request in HTTP (D13). */
const versions: readonly Check[] = [
  check("http/versions#1.0", {}, async (api) => {
    const old = { version: "1.0", connection: null };
    const bare: readonly Written[] = [[sysinfo(api), "sysinfo"]];
    for (const [host, requests] of [
      [null, everything(api)],
      [api.host, bare],
    ] as const)
      for (const [request, outcome] of requests)
        await inCase(`${named(request)} by HTTP/1.0, ${host === null ? "without" : "with"} Host`, async () => {
          const reply = await expectWhole(api, { ...request, ...old, host });
          expectOutcome(reply, outcome);
          // HTTP/1.0 has no transfer codings (RFC 9112, 6.1).
          const coding = reply.header("transfer-encoding");
          if (coding !== undefined) fail("header:transfer-encoding", "an answer without chunks", coding);
        });
  }),
  check("http/versions#absolute-form", {}, async (api) => {
    const absolute = (target: string) => `${api.url}${target.slice(api.path("").length)}`;
    // An address without a path is equivalent to its root (RFC 9110, 4.2.3).
    const root: readonly Written[] = api.path("") === "" ? [[{ target: "" }, 200]] : [];
    for (const [request, outcome] of [...everything(api), ...root])
      await inCase(`${named(request)} in absolute form`, async () => {
        const reply = await expectWhole(api, { ...request, target: absolute(request.target) });
        expectOutcome(reply, outcome);
        const location = reply.header("location");
        if (outcome === 308 && !location?.endsWith("?@=sysinfo"))
          fail("header:location", "a redirect with ?@=sysinfo", location ?? "none");
      });
  }),
];

/** The framing of responses and the forms of requests (D13). */
export const connections: readonly Check[] = [...lengths, noContent, ...versions];
