import { mediaTypeFor } from "./accept.ts";
import {
  absentCodeOf,
  type Contract,
  mediaTypesOf,
  type Operation,
  pageItemOf,
  requirementOf,
  statedOr,
  takesIdempotencyKey,
} from "./contract.ts";
import { bodyFaults, headerFaults, queryFaults } from "./input.ts";
import { listOf } from "./lists.ts";
import { idempotencyId } from "./model-state.ts";
import { CREDENTIALS, type ParsedRequest, PLATFORM, utf8Of } from "./parsed-request.ts";
import type { Fault } from "./schema.ts";

/**
 * Rejections, by step and requirement: a rule for each sentence of the contract that rejects
 * requests.
 */

export interface Rule {
  /** Of the order of checks: `handle` for what the operation itself rejects. */
  readonly step: string;
  /** The requirement that it implements. */
  readonly by: string | ((reading: ParsedRequest) => string);
  /** Of the problem that rejects the request. */
  readonly code: string;
  /** Whether a request is rejected that no earlier rule has rejected. */
  readonly fails: (reading: ParsedRequest) => boolean;
  readonly more?: (reading: ParsedRequest) => Details;
}

/** What a caller can see of a rejection, besides its status and code. */
export interface Details {
  readonly allow?: string;
  /** Credentials that `detail` names, and no others. */
  readonly missing?: readonly string[];
  /** Pointers of the faults that `errors` lists. */
  readonly places?: readonly string[];
  /**
   * Pointers to unknown members, with the names that are allowed there; null: those of the
   * operation's input.
   */
  readonly strangerAt?: readonly {
    readonly place: string;
    readonly allowed: readonly string[] | null;
  }[];
  /** Codes that the contract allows instead; `null` for a success. */
  readonly or?: readonly (string | null)[];
}

export const ENDPOINT = "GET, HEAD, POST, OPTIONS";
export const READ = "GET, HEAD, OPTIONS";
/** Methods of RFC 9110, and PATCH: every deployment knows them (D4). */
export const METHODS = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PATCH",
]);
const AUTHORITY = "(?:\\[[0-9a-f:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\\d*)?";
const HOST = new RegExp(`^${AUTHORITY}$`, "i");
/** A path, or an address of HTTP, of visible ASCII characters (RFC 9112, 3.2). */
const TARGET = new RegExp(`^(?=[!-~]*$)(?:/|https?://${AUTHORITY}(?:[/?#]|$))`, "i");
const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const VALUE = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
const PARAMETER = `(?:charset=(?:utf-8|"utf-8")|(?!charset=)${TOKEN}=${VALUE})`;
const JSON_TYPE = new RegExp(
  `^application/json[ \\t]*(?:;[; \\t]*(?:${PARAMETER}[ \\t]*)?)*$`,
  "i",
);
const VISIBLE = /^[\x21-\x7e]{1,255}$/;

const isEndpoint = (r: ParsedRequest) => r.path === "/api/" || r.path === "/api";
export const methodsOf = (r: ParsedRequest) => (isEndpoint(r) ? ENDPOINT : READ);
export const allowOf = ({ method }: Operation) => (method === "POST" ? "POST, OPTIONS" : READ);
const headBytes = (r: ParsedRequest) =>
  r.request.fields.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
export const hasFragment = (r: ParsedRequest) => r.request.target.includes("#");
export const isServed = (r: ParsedRequest) =>
  r.path === "/" || isEndpoint(r) || r.model.files.has(r.path);

/**
 * The first step: rejections by HTTP itself. A parser may count the request line and the header
 * fields together.
 */
const readHead: readonly Rule[] = [
  {
    step: "readHead",
    by: "http/url-limit",
    code: "uri-too-long",
    fails: (r) =>
      !r.points.most("bytes of the target", r.request.target.length, r.contract.limits.targetBytes),
    more: () => ({ or: ["headers-too-large"] }),
  },
  {
    step: "readHead",
    by: "http/header-count",
    code: "headers-too-large",
    fails: (r) =>
      !r.points.most("header fields", r.request.fields.length, r.contract.limits.headFields),
  },
  {
    step: "readHead",
    by: "http/header-limit",
    code: "headers-too-large",
    fails: (r) =>
      !r.points.most("bytes of the header fields", headBytes(r), r.contract.limits.headBytes),
  },
  {
    step: "readHead",
    by: "http/malformed-request",
    code: "malformed-request",
    fails: (r) => {
      const hosts = r.fields("Host");
      const known = r.request.version === "1.0" ? hosts.length < 2 : hosts.length === 1;
      return !r.points.holds("one valid Host", known && hosts.every((host) => HOST.test(host)));
    },
  },
  {
    step: "readHead",
    by: "http/malformed-request",
    code: "malformed-request",
    fails: (r) => !r.points.form("the form of a target", r.request.target, TARGET),
  },
  {
    step: "readHead",
    by: "http/malformed-request",
    code: "malformed-request",
    fails: (r) =>
      r
        .fields("Transfer-Encoding")
        .some((coding) => r.request.version === "1.0" || !/^chunked$/i.test(coding)) ||
      r.fields("Content-Length").some((length) => !/^\d+$/.test(length)),
  },
  {
    step: "readHead",
    by: "http/expectation",
    code: "expectation-failed",
    fails: (r) =>
      r.fields("Expect").length > 1 ||
      r.fields("Expect").some((one) => !r.points.form("an expectation", one, /^100-continue$/i)),
  },
];

/** Path and method. */
const route: readonly Rule[] = [
  {
    step: "findPath",
    by: "http/unknown-path",
    code: "path-not-found",
    fails: (r) => hasFragment(r) || !isServed(r),
  },
  {
    step: "allowMethod",
    by: (r) => (r.isApi ? "dispatch/unknown-method" : "dispatch/other-paths-methods"),
    code: "method-not-allowed",
    fails: (r) =>
      !r.points.holds("the path has the method", methodsOf(r).split(", ").includes(r.method)),
    more: (r) => ({ allow: methodsOf(r) }),
  },
];

/** Whether the request can be read: its query, its credentials, its body. */
const read: readonly Rule[] = [
  {
    step: "readQuery",
    by: "dispatch/malformed-query",
    code: "malformed-query",
    fails: (r) =>
      !r.points.holds(
        "the query can be decoded",
        r.pairs.every((pair) => !pair.includes(null)),
      ),
  },
  {
    step: "readQuery",
    by: "dispatch/repeated",
    code: "parameter-repeated",
    fails: (r) =>
      !r.points.holds(
        "no parameter is repeated",
        new Set(r.pairs.map(([name]) => name)).size === r.pairs.length,
      ),
  },
  ...CREDENTIALS.map(
    (name): Rule => ({
      step: "readHeaders",
      by: "dispatch/repeated-credential",
      code: "parameter-repeated",
      fails: (r) =>
        !r.points.holds(`the header ${name} is not repeated`, r.fields(name).length < 2),
    }),
  ),
  {
    step: "checkMediaType",
    by: "http/content-encoding",
    code: "unsupported-media-type",
    fails: (r) =>
      r.isPost &&
      r.fields("Content-Encoding").length > 0 &&
      !r.points.form(
        "the coding of a body",
        r.fields("Content-Encoding").join(", "),
        /^(?:identity)?$/i,
      ),
  },
  {
    step: "checkMediaType",
    by: (r) =>
      /^application\/json[ \t]*;/i.test(r.fields("Content-Type")[0] ?? "")
        ? "http/charset"
        : "http/media-type",
    code: "unsupported-media-type",
    fails: (r) => {
      if (!r.isPost) return false;
      const [type = "", ...otherTypes] = r.fields("Content-Type");
      return !(
        r.points.form("the media type of a body", type, JSON_TYPE) && otherTypes.length === 0
      );
    },
  },
  {
    step: "readBody",
    by: (r) => (r.isPost ? "http/body-limit" : "http/body-limit-on-get"),
    code: "content-too-large",
    fails: (r) =>
      !r.points.most("bytes of a body", r.request.body.length, r.contract.limits.bodyBytes),
  },
];

function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (sign === "[" || sign === "{") most = Math.max(most, ++depth);
    else if (sign === "]" || sign === "}") depth--;
  }
  return most;
}

const countJsonParts = (text: string): number =>
  text.replace(/"(?:[^"\\]|\\.)*"?/gs, "").match(/[[{,]/g)?.length ?? 0;

const hasProto = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (Object.hasOwn(value, "__proto__") || Object.values(value).some(hasProto));

const parse: readonly Rule[] = [
  {
    step: "parseBody",
    by: "http/not-utf8",
    code: "malformed-json",
    fails: (r) => {
      const right = utf8Of(r.request.body) !== null && !r.request.body.startsWith("\xef\xbb\xbf");
      return r.isPost && !r.points.holds("the body is UTF-8", right);
    },
  },
  {
    step: "parseBody",
    by: "http/nesting",
    code: "malformed-json",
    fails: (r) =>
      r.isPost &&
      !r.points.most("levels of a body", depthOf(r.request.body), r.contract.limits.bodyDepth),
  },
  {
    step: "parseBody",
    by: "http/body-parts",
    code: "malformed-json",
    fails: (r) =>
      r.isPost &&
      !r.points.most(
        "parts of a body",
        countJsonParts(r.request.body),
        r.contract.limits.bodyParts,
      ),
  },
  {
    step: "parseBody",
    by: "http/proto-member",
    code: "malformed-json",
    fails: (r) =>
      r.isPost && !r.points.holds("the body has no member __proto__", !hasProto(r.json)),
  },
  {
    step: "parseBody",
    by: (r) => (/^\s*\[/.test(r.request.body) ? "dispatch/no-batch" : "http/malformed-json"),
    code: "malformed-json",
    fails: (r) => r.isPost && !r.points.holds("the body is a JSON object", r.json !== null),
  },
];

/** `@`, the operation, its method. */
const dispatch: readonly Rule[] = [
  {
    step: "nameOperation",
    by: (r) => (r.isPost ? "dispatch/missing-in-body" : "dispatch/missing"),
    code: "operation-missing",
    fails: (r) => !r.points.holds("@ is there", typeof r.name === "string" && r.name !== ""),
  },
  {
    step: "nameOperation",
    by: "dispatch/ambiguous",
    code: "operation-ambiguous",
    fails: (r) => r.isPost && !r.points.holds("@ is in the body alone", r.named("@").length === 0),
  },
  {
    step: "findOperation",
    by: "dispatch/unknown",
    code: "operation-not-found",
    fails: (r) => r.operation === null,
  },
  {
    step: "checkMethod",
    by: "dispatch/wrong-method",
    code: "method-not-allowed",
    fails: (r) =>
      !r.points.holds(
        "the operation has the method",
        r.isPost === (r.operation?.method === "POST"),
      ),
    more: (r) => ({ allow: r.operation ? allowOf(r.operation) : "" }),
  },
];

const guarded = (r: ParsedRequest) =>
  r.points.holds("credentials are checked", r.operation?.auth === true);
const scopeOf = ({ operation }: ParsedRequest) => operation?.scope ?? null;

/** Authentication and authorization. */
const caller: readonly Rule[] = [
  {
    step: "readCredentials",
    by: "credentials/conflict",
    code: "credential-conflict",
    fails: (r) =>
      guarded(r) &&
      CREDENTIALS.some((name) => {
        const { header, query } = r.credential(name);
        return (
          header !== "" && query !== "" && !r.points.same(`${name} in both places`, query, header)
        );
      }),
  },
  {
    step: "requireCredentials",
    by: "credentials/missing",
    code: "credentials-missing",
    fails: (r) =>
      guarded(r) &&
      CREDENTIALS.some(
        (name) => !r.points.holds(`${name} is there`, r.credential(name).value !== ""),
      ),
    more: (r) => ({ missing: CREDENTIALS.filter((name) => r.credential(name).value === "") }),
  },
  {
    step: "authenticate",
    by: "credentials/invalid",
    code: "credentials-invalid",
    fails: (r) => guarded(r) && !r.points.holds("the key is valid", r.key?.valid === true),
  },
  {
    step: "checkScope",
    by: "credentials/scope",
    code: "scope-missing",
    fails: (r) => {
      const scope = scopeOf(r);
      return (
        guarded(r) &&
        scope !== null &&
        !r.points.holds("the key has the scope", r.key?.scopes.includes(scope) ?? true)
      );
    },
  },
  {
    step: "checkPlatform",
    by: "credentials/platform",
    code: "platform-not-allowed",
    fails: (r) =>
      guarded(r) &&
      !r.model.platforms.some((text) =>
        r.points.same("the platform", r.credential(PLATFORM).value, text),
      ),
  },
  {
    step: "checkPlatform",
    by: "credentials/platform-of-key",
    code: "platform-not-allowed",
    fails: (r) => {
      if (!guarded(r)) return false;
      const { value } = r.credential(PLATFORM);
      // For a platform that a mutation takes for one of the deployment's, the key's own list is not
      // checked.
      const isOfKey =
        r.key === null || !r.model.platforms.includes(value) || r.key.platforms.includes(value);
      return !r.points.holds("the platform is the key's", isOfKey);
    },
  },
];

const inputFaultsOf = (r: ParsedRequest): readonly Fault[] => {
  const { contract, operation, points } = r;
  if (!operation) return [];
  const inHead = headerFaults({ contract, operation, at: points }, (name) => r.fields(name));
  if (!r.isPost)
    return [...inHead, ...queryFaults({ contract, operation, at: points }, r.inputParameters)];
  const stray = points.holds("a POST has no parameters", r.inputParameters.length === 0);
  return [
    ...inHead,
    ...(stray ? [] : [{ place: "#", rule: "query", general: "input/post-query" }]),
    ...(r.json ? bodyFaults({ contract, operation, at: points }, r.json) : []),
  ];
};

/** Representation and input. */
const input: readonly Rule[] = [
  {
    step: "negotiate",
    by: "answers/not-acceptable",
    code: "not-acceptable",
    fails: (r) => r.operation !== null && mediaTypeFor(r, mediaTypesOf(r.operation)) === null,
  },
  {
    step: "validateInput",
    by: (r) => {
      const [first] = inputFaultsOf(r);
      return requirementOf(
        r.contract,
        r.operation,
        first?.rule ?? "",
        first?.general ?? "errors/invalid-input",
      );
    },
    code: "invalid-input",
    fails: (r) => inputFaultsOf(r).length > 0,
    more: (r) => {
      const faults = inputFaultsOf(r);
      const strangers = faults.filter(({ rule }) => rule === "unknown").map(({ place }) => place);
      return {
        places: [...new Set(faults.map(({ place }) => place))],
        strangerAt: strangers.map((place) => ({
          place,
          allowed: r.isPost && place === "#" ? ["@", "data"] : null,
        })),
      };
    },
  },
];

const ofOperation = (code: string, general: string) => (r: ParsedRequest) =>
  requirementOf(r.contract, r.operation, code, general);

/** The idempotency key of a command that accepts one; empty if there is none. */
export const idempotencyKeyOf = (r: ParsedRequest): string =>
  r.isPost && r.operation && takesIdempotencyKey(r.operation)
    ? r.fields("Idempotency-Key").join(", ")
    : "";

/** The record that the command's idempotency key has created before; undefined if none. */
export const replayedBy = (r: ParsedRequest) => {
  const key = idempotencyKeyOf(r);
  if (key === "" || !r.operation) return undefined;
  if (r.points.isRight) return r.model.created.get(idempotencyId(r.operation.id, r.apiKey, key));
  const wanted = r.points.holds("an idempotency key belongs to its API key", true)
    ? r.apiKey
    : null;
  for (const [id, created] of r.model.created) {
    // Written by `idempotencyId`.
    const [operation, apiKey, idempotencyKey] = JSON.parse(id) as [string, string, string];
    if (operation !== r.operation.id || (wanted !== null && apiKey !== wanted)) continue;
    if (r.points.same("the idempotency key", key, idempotencyKey)) return created;
  }
  return undefined;
};

/** The text of parsed `data`, independent of the order and spelling of its members. */
export const dataOf = (data: unknown): string => {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([k, v]) => [k, sorted(v)]),
          )
        : value;
  return JSON.stringify(sorted(data)) ?? "";
};

/** Names that do not exist: each operation has its own code for them. */
const absentRules = (contract: Contract): readonly Rule[] =>
  [
    ...new Set(Object.values(contract.operations).map((one) => absentCodeOf(contract, one))),
  ].flatMap((code) =>
    code === null
      ? []
      : [
          {
            step: "handle",
            by: ofOperation(code, "dispatch/unknown"),
            code,
            fails: (r: ParsedRequest) => {
              const names = r.model.names.get(r.operation?.id ?? "");
              if (!names || !r.operation || absentCodeOf(contract, r.operation) !== code)
                return false;
              return !r.points.sameAsOne("a name that exists", String(r.name), names);
            },
          },
        ],
  );

/** Rejections by the operation itself. */
const handle: readonly Rule[] = [
  {
    step: "handle",
    by: ofOperation("invalid-cursor", "dispatch/order"),
    code: "invalid-cursor",
    fails: (r) => {
      if (!r.operation || !pageItemOf(r.contract, r.operation)) return false;
      const given = r.model.cursors.get(listOf(r)) ?? new Set();
      const sent = r.inputParameters
        .filter(([name]) => name === "cursor")
        .map(([, value]) => value);
      return sent.some((one) => !r.points.sameAsOne("a cursor", one, given));
    },
  },
  {
    step: "handle",
    by: ofOperation("invalid-idempotency-key", "dispatch/order"),
    code: "invalid-idempotency-key",
    fails: (r) => {
      const key = idempotencyKeyOf(r);
      return key !== "" && !r.points.form("an idempotency key", key, VISIBLE);
    },
  },
  {
    step: "handle",
    by: (r) =>
      ofOperation(
        "idempotency-key-reused",
        statedOr(r.contract, "idempotency/key-reused", "dispatch/order"),
      )(r),
    code: "idempotency-key-reused",
    fails: (r) => {
      const before = replayedBy(r);
      return (
        before !== undefined &&
        !r.points.same("data under an idempotency key", dataOf(r.json?.data), before.data)
      );
    },
  },
];

/** Every rule that applies to any operation, in the order of checks. */
export const rulesOf = (contract: Contract): readonly Rule[] => [
  ...readHead,
  ...route,
  ...read,
  ...parse,
  ...dispatch,
  ...caller,
  ...input,
  ...handle,
  ...absentRules(contract),
];
