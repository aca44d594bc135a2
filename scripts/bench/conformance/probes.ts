// The requests for every peer: each operation's success and every documented rejection that one plain request can cause, with the
// response that the contract requires. One list, so that no peer is tuned better than another.
import type { Credential, Credentials } from "../../../conformance/client/credentials.ts";

export interface Probe {
  readonly id: string;
  /** The operation of the contract whose documented responses are the reference. */
  readonly operation: "sysinfo" | "test.health" | "user.list" | "user.create" | "docs.list" | "docs.get";
  readonly method: "GET" | "POST";
  /** Not an operation of the document at all, so that it can only be sent by its address. */
  readonly undocumented: boolean;
  /** With `@`, for a GET. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body: Readonly<Record<string, unknown>> | string | null;
  readonly status: number;
  readonly mediaType: string;
  /** Members that the response's JSON object must have with these values. */
  readonly members: Readonly<Record<string, string | number>>;
}

type Rest = Partial<Omit<Probe, "id" | "operation" | "status" | "members">> & {
  /** The value of `@`, if not the operation. */
  readonly name?: string;
  readonly code?: string;
  readonly members?: Probe["members"];
};

const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";

function probe(id: string, operation: Probe["operation"], status: number, rest: Rest = {}): Probe {
  const { code, members = {}, name = operation, query = {}, ...others } = rest;
  const { method = operation === "user.create" ? "POST" : "GET" } = rest;
  return {
    id,
    operation,
    method,
    undocumented: false,
    query: method === "GET" ? { "@": name, ...query } : query,
    headers: {},
    body: null,
    status,
    mediaType: code ? "application/problem+json" : "application/json",
    members: code ? { code, status, ...members } : members,
    ...others,
  };
}

/** The request target of a probe. */
export function targetOf({ query }: Probe): string {
  const text = new URLSearchParams(query).toString();
  return `/api/${text && `?${text}`}`;
}

const fields = ({ key, platform }: Credential) => ({ [KEY]: key, [PLATFORM]: platform });

/** `run` makes the e-mail addresses of one run unique. */
export function probes({ full, special }: Credentials, run: string): readonly Probe[] {
  const good = fields(full);
  const { noScopes, otherPlatform, expired, revoked } = special;
  if (!noScopes || !otherPlatform || !expired || !revoked) throw new Error("the credentials file is not complete");
  const user = { name: "Ada Lovelace", email: `bench+${run}@example.com` };
  const create = (data: Record<string, unknown>) => ({ "@": "user.create", data });
  const readme = "docs.get.README";
  return [
    probe("sysinfo", "sysinfo", 200, { members: { status: "Operational", version: "3.0.3", requestMethod: "GET" } }),
    probe("unknown-operation", "sysinfo", 404, {
      name: "user.delete",
      undocumented: true,
      code: "operation-not-found",
    }),
    probe("wrong-method", "sysinfo", 405, {
      method: "POST",
      undocumented: true,
      body: { "@": "sysinfo", data: {} },
      code: "method-not-allowed",
    }),
    probe("sysinfo-not-acceptable", "sysinfo", 406, { headers: { Accept: "image/png" }, code: "not-acceptable" }),
    probe("sysinfo-unknown-parameter", "sysinfo", 422, { query: { colour: "red" }, code: "invalid-input" }),

    probe("health", "test.health", 200, { headers: good, members: { status: "pass", version: "3.0.3" } }),
    probe("health-key-in-query", "test.health", 200, { query: { [KEY]: full.key }, headers: { [PLATFORM]: "web" } }),
    probe("health-both-in-query", "test.health", 200, { query: good }),
    probe("health-without-credentials", "test.health", 401, { code: "credentials-missing" }),
    probe("health-without-scope", "test.health", 403, { headers: fields(noScopes), code: "scope-missing" }),

    probe("list", "user.list", 200, { headers: good }),
    probe("list-limited", "user.list", 200, { headers: good, query: { limit: "1" } }),
    probe("list-without-credentials", "user.list", 401, { code: "credentials-missing" }),
    probe("list-without-platform", "user.list", 401, { headers: { [KEY]: full.key }, code: "credentials-missing" }),
    probe("list-wrong-key", "user.list", 401, {
      headers: { ...good, [KEY]: "wrong" },
      code: "credentials-invalid",
    }),
    probe("list-expired-key", "user.list", 401, { headers: fields(expired), code: "credentials-invalid" }),
    probe("list-revoked-key", "user.list", 401, { headers: fields(revoked), code: "credentials-invalid" }),
    probe("list-without-scope", "user.list", 403, { headers: fields(noScopes), code: "scope-missing" }),
    probe("list-wrong-platform", "user.list", 403, {
      headers: { ...fields(otherPlatform), [PLATFORM]: "web" },
      code: "platform-not-allowed",
    }),
    probe("list-credential-conflict", "user.list", 400, {
      headers: good,
      query: { [KEY]: "wrong" },
      code: "credential-conflict",
    }),
    probe("list-bad-cursor", "user.list", 400, {
      headers: good,
      query: { cursor: "nonsense" },
      code: "invalid-cursor",
    }),
    probe("list-limit-too-small", "user.list", 422, { headers: good, query: { limit: "0" }, code: "invalid-input" }),
    probe("list-limit-too-large", "user.list", 422, { headers: good, query: { limit: "201" }, code: "invalid-input" }),

    probe("create", "user.create", 201, { headers: good, body: create(user), members: user }),
    probe("create-again", "user.create", 409, { headers: good, body: create(user), code: "email-taken" }),
    probe("create-without-credentials", "user.create", 401, { body: create(user), code: "credentials-missing" }),
    probe("create-without-scope", "user.create", 403, {
      headers: fields(noScopes),
      body: create(user),
      code: "scope-missing",
    }),
    probe("create-bad-email", "user.create", 422, {
      headers: good,
      body: create({ ...user, email: "nobody" }),
      code: "invalid-input",
    }),
    probe("create-without-name", "user.create", 422, {
      headers: good,
      body: create({ email: user.email }),
      code: "invalid-input",
    }),
    probe("create-unknown-member", "user.create", 422, {
      headers: good,
      body: create({ ...user, role: "admin" }),
      code: "invalid-input",
    }),
    probe("create-as-text", "user.create", 415, {
      headers: { ...good, "Content-Type": "text/plain" },
      body: "nothing",
      code: "unsupported-media-type",
    }),

    probe("documents", "docs.list", 200),
    probe("readme", "docs.get", 200, { name: readme, members: { name: "README", mediaType: "text/markdown" } }),
    probe("readme-as-markdown", "docs.get", 200, {
      name: readme,
      headers: { Accept: "text/markdown" },
      mediaType: "text/markdown",
    }),
    probe("readme-not-acceptable", "docs.get", 406, {
      name: readme,
      headers: { Accept: "image/png" },
      code: "not-acceptable",
    }),
    probe("document-not-found", "docs.get", 404, { name: "docs.get.nowhere", code: "document-not-found" }),
  ];
}
