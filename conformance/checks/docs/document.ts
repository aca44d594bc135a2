import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { knownParts } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { decoders } from "../../client/wire/content-coding.ts";
import { ending, toJudge } from "../probe.ts";

/** Every format of a document, the default one first. */
export const FORMATS: readonly string[] = operations["docs.get"].answers[0].mediaTypes;

/** The codings that the contract knows, each as a caller asks for it alone. */
export const CODINGS = ["identity", "gzip", "br"] as const;

/** The entries that every deployment has. */
export const knownNames: readonly string[] = knownParts(operations["docs.get"]);

/** One of them. */
export const ENTRY = "README";

interface Asked {
  readonly accept?: string | undefined;
  readonly encoding?: string | undefined;
  readonly ifNoneMatch?: string;
  readonly method?: string;
}

/** Asks for a document, without credentials. */
export function getDocument(api: Api, name: string, asked: Asked = {}): Promise<Reply> {
  const { accept, encoding, ifNoneMatch, method } = asked;
  return api.call(`docs.get.${name}`, {
    credentials: "none",
    headers: {
      ...(encoding === undefined ? {} : { "Accept-Encoding": encoding }),
      ...(ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch }),
    },
    ...(accept === undefined ? {} : { accept }),
    ...(method === undefined ? {} : { method }),
  });
}

/** The entries of `docs.list`; where there are none, nothing can be judged. */
export async function entries(api: Api) {
  const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
  return toJudge(items, "entry of docs.list");
}

/** Their names. */
export const documentNames = async (api: Api): Promise<readonly string[]> =>
  (await entries(api)).map(({ name }) => name);

/** The coding of an answer, in lower case; `identity` when it names none. */
export const codingOf = (reply: Reply): string => (reply.header("content-encoding") ?? "identity").trim().toLowerCase();

/** The bytes of an answer with its `Content-Encoding` undone; one that is not what it says is a finding. */
export function decoded(reply: Reply): Buffer {
  const coding = codingOf(reply);
  if (coding === "identity") return reply.body;
  const decode = decoders.get(coding);
  if (!decode) fail("header:content-encoding", "a known Content-Encoding", coding);
  try {
    return decode(reply.body);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    return fail("body", `bytes in ${coding}`, `${reply.body.length} bytes that are not: ${why}`);
  }
}

/** The one `ETag` of an answer, a strong one: quotes, and no `W/` before them. */
export function strongTag(reply: Reply): string {
  const [tag, ...others] = reply.headerValues("etag");
  if (tag === undefined || others.length > 0)
    fail("header:etag", "one ETag", tag === undefined ? `none: ${describe(reply)}` : [tag, ...others].join(" and "));
  if (!/^"[\x21\x23-\x7e\x80-\xff]+"$/.test(tag)) fail("header:etag", 'a strong ETag such as "abc"', excerpt(tag));
  return tag;
}

/** The tokens of a header that is a list, in lower case. */
export function tokens(reply: Reply, name: string): string[] {
  const all = (reply.header(name) ?? "").split(",").map((token) => token.trim().toLowerCase());
  return all.filter(Boolean);
}

/** An answer with 304, without a body (on a connection of its own, where one would show) and with the `ETag` that was sent. */
export async function expectNotModified(
  api: Api,
  target: string,
  headers: readonly (readonly [name: string, value: string])[],
  tag: string,
): Promise<void> {
  const bytes = api.rawRequest({ target: api.path(target), headers });
  const raw = await api.raw(bytes, { answers: Number.POSITIVE_INFINITY });
  const [reply, ...others] = raw.replies;
  if (!reply) fail("connection", "304", ending(raw));
  expectStatus(reply, 304);
  if (raw.leftover.length > 0 || others.length > 0)
    fail("body", "304 without a body", `a body after it: ${excerpt(raw.leftover.toString())}`);
  if (reply.header("etag") !== tag)
    fail("header:etag", `304 with the ETag ${tag}`, `ETag ${reply.header("etag") ?? "absent"}`);
}
