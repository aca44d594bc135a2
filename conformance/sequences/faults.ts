import type { Request } from "../oracle/world.ts";

/** The parts of the run that a fault may use. */
export interface Faulty {
  /** A word that is no valid key, platform or name. */
  readonly word: string;
}

/** One fault, added to any request. The oracle predicts the response. */
export interface Fault {
  /** The step of the order of checks that rejects it. */
  readonly step: string;
  /** Whether no client sends it by itself. */
  readonly harms?: boolean;
  readonly put: (request: Request, faulty: Faulty) => Request;
}

const without = (request: Request, name: string): Request => ({
  ...request,
  fields: request.fields.filter(([field]) => field.toLowerCase() !== name.toLowerCase()),
});
const withField = (request: Request, name: string, value: string): Request => {
  const { fields: headers, ...rest } = without(request, name);
  return { ...rest, fields: [...headers, [name, value]] };
};
const withPair = (request: Request, pair: string): Request => ({
  ...request,
  target: `${request.target}${request.target.includes("?") ? "&" : "?"}${pair}`,
});
/** The query without a parameter. */
const withoutPair = (request: Request, name: string): Request => ({
  ...request,
  target: request.target.replace(/\?.*$/s, (query) => {
    const pairs = query.slice(1).split("&");
    const rest = pairs.filter((pair) => decodeURIComponent(pair.split("=")[0] ?? "") !== name);
    return rest.length > 0 ? `?${rest.join("&")}` : "";
  }),
});
const bare = (request: Request, name: string) => withoutPair(without(request, name), name);
const isPost = ({ method }: Request) => method === "POST";
/** Another body, with the JSON of the original. */
function withBody(request: Request, change: (body: Record<string, unknown>) => unknown): Request {
  const body = JSON.parse(Buffer.from(request.body || "{}", "latin1").toString());
  return { ...request, body: Buffer.from(JSON.stringify(change(body))).toString("latin1") };
}
/** The name is in the query of a GET, in the body of a POST. */
const named = (request: Request, name: string): Request =>
  isPost(request)
    ? withBody(request, (body) => ({ ...body, "@": name }))
    : withPair(withoutPair(request, "@"), `@=${encodeURIComponent(name)}`);

export const FAULTS: Readonly<Record<string, Fault>> = {
  "another path": { step: "findPath", put: (one) => ({ ...one, target: one.target.replace("/api/", "/api/v1/") }) },
  "another method": { step: "allowMethod", put: (one) => ({ ...one, method: "DELETE" }) },
  "HEAD with its body": {
    step: "allowMethod",
    put: (one) => (isPost(one) ? { ...one, method: "HEAD" } : { ...one, method: "PATCH" }),
  },
  "a parameter twice": { step: "readQuery", put: (one) => withPair(withPair(one, "twice=1"), "twice=1") },
  "another media type": {
    step: "checkMediaType",
    put: (one) => (isPost(one) ? withField(one, "Content-Type", "text/plain") : named(one, "")),
  },
  "too large a body": {
    ...{ step: "readBody", harms: true },
    put: (one) => (isPost(one) ? { ...one, body: one.body + " ".repeat(66_000) } : withPair(one, "x".repeat(8_200))),
  },
  "no JSON": {
    ...{ step: "parseBody", harms: true },
    put: (one) => (isPost(one) ? { ...one, body: one.body.slice(0, -1) } : withPair(one, "%zz")),
  },
  "a broken query": {
    ...{ step: "readQuery", harms: true },
    put: (one) => withPair(one, isPost(one) ? "%zz" : "%ff=1"),
  },
  "no @": {
    step: "nameOperation",
    put: (one) => (isPost(one) ? withBody(one, ({ data }) => ({ data })) : withoutPair(one, "@")),
  },
  "@ in both places": {
    step: "nameOperation",
    put: (one) => (isPost(one) ? withPair(one, "@=none") : withPair(one, "@=none")),
  },
  "an unknown operation": { step: "findOperation", put: (one, { word }) => named(one, word) },
  "the other method": {
    step: "checkMethod",
    put: (one) => {
      if (!isPost(one)) {
        const name = decodeURIComponent(/[?&](?:@|%40)=([^&]*)/.exec(one.target)?.[1] ?? "");
        const post = withField(withoutPair(one, "@"), "Content-Type", "application/json");
        return { ...post, method: "POST", body: JSON.stringify({ "@": name }) };
      }
      const name = JSON.parse(Buffer.from(one.body, "latin1").toString())["@"];
      return withPair({ ...without(one, "Content-Type"), method: "GET", body: "" }, `@=${name}`);
    },
  },
  "two keys": {
    ...{ step: "readCredentials", harms: true },
    put: (one, { word }) => withPair(withField(one, "X-API-KEY", "a"), `X-API-KEY=${word}`),
  },
  "no key": { step: "requireCredentials", put: (one) => bare(one, "X-API-KEY") },
  "no platform": { step: "requireCredentials", put: (one) => bare(one, "X-PLATFORM") },
  "no credentials": { step: "requireCredentials", put: (one) => bare(bare(one, "X-API-KEY"), "X-PLATFORM") },
  "a wrong key": {
    ...{ step: "authenticate", harms: true },
    put: (one, { word }) => withField(bare(one, "X-API-KEY"), "X-API-KEY", word),
  },
  "a wrong platform": {
    step: "checkPlatform",
    put: (one, { word }) => withField(bare(one, "X-PLATFORM"), "X-PLATFORM", word),
  },
  "no representation": { step: "negotiate", put: (one) => withField(one, "Accept", "image/png") },
  "an unknown parameter": { step: "validateInput", put: (one) => withPair(one, "unknown=1") },
  "an unknown member": {
    step: "validateInput",
    put: (one) =>
      isPost(one)
        ? withBody(one, (body) => ({ ...body, data: { ...Object(body.data), unknown: 1 } }))
        : withPair(one, "limit=0"),
  },
  "no data": {
    step: "validateInput",
    put: (one) => (isPost(one) ? withBody(one, ({ data: _, ...body }) => body) : withPair(one, "unknown")),
  },
  "a cursor that nobody gave out": {
    step: "handle",
    put: (one, { word }) =>
      isPost(one) ? withPair(one, `cursor=${word}`) : withPair(withoutPair(one, "cursor"), `cursor=${word}`),
  },
  "a key with a blank": { step: "handle", put: (one) => withField(one, "Idempotency-Key", "a b") },
};
