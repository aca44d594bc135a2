import { callerOf, draftOf, faultsOf, written } from "../../checks/faults.ts";
import { simplest } from "../../client/operation.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { wordOf } from "../../client/word.ts";
import { mediaTypesOf } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import type { Asking, Case, List } from "../list.ts";

/** Requests for the laws of every response: each layer that writes responses, with the fields that they are about. */

type Fields = Request["fields"];

const PATHS = [
  ...["/", "/api", "/api/", "/openapi.json", "/openapi.operations.yaml", "/robots.txt", "/reference", "/no-such-path"],
  ...["/.well-known/api-catalog", "/api/?@=no.such.operation", "/api/?@=%zz", "/api/?@="],
];

const plus = (request: Request, ...fields: Fields): Request => ({ ...request, fields: [...request.fields, ...fields] });

/** A valid call of each operation, a request with each of its faults, and the other paths. */
function* layers(asking: Asking): Generator<Request> {
  const { api, operations, call, input } = asking;
  const caller = callerOf(api);
  const seen = new Set<string>();
  for (const operation of operations) {
    yield call(operation);
    if (operation.auth) yield call(operation, { credentials: "none" });
    for (const { add, code, step } of faultsOf(operation)) {
      const draft = add(draftOf(operation, caller, input(operation), "headers"), operation, caller);
      if (!draft || step === "readHead" || seen.has(`${code} ${draft.method}`)) continue;
      seen.add(`${code} ${draft.method}`);
      yield wireOfLiteral(api, written(draft));
    }
  }
  for (const target of PATHS) yield wireOfLiteral(api, { method: "GET", target });
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY = `atp_${"0a".repeat(24)}`;
const IDS = [
  ...["a", "0", "-", ".", "_", LETTERS, "0123456789._-", "x".repeat(63), "Z".repeat(64), "__proto__", "null"],
  // Similar to a key: a UUID, a W3C trace and span id, a ULID, 39 digits, the prefix of a key before other characters.
  ...["6f1c9c0e-3a55-4b43-9d2b-0d1f5a3c7e21", "6f1c9c0e3a554b439d2b0d1f5a3c7e21", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ...["0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", "0".repeat(39), "atp_", "atp_user"],
  // A key, whole or cut.
  ...[KEY, KEY.slice(0, 51), KEY.slice(0, 44), KEY.slice(0, 5), `x-${KEY.toUpperCase()}`, KEY.slice(4), KEY.slice(12)],
  // Of another form.
  ...["x".repeat(65), "x".repeat(1000), "", "a b", "a,b", "a;b", "a/b", "a:b", "a=b", "a@b", "a+b", "a~b", "a%20b"],
  ...["%0d%0aX-Injected:%201", '"quoted"', "<script>", "{}", "$(id)", "a\tb", "\xc3\xa9t\xc3\xa9", "\xff\xfe\xfd\xfc"],
  ...["caller-1\u0080", "'; DROP"],
];

function* requestIds(asking: Asking): Generator<Case> {
  const { api, call } = asking;
  const of = "http/request-id";
  const one = call(simplest);
  for (const id of IDS) yield [of, plus(one, ["X-Request-Id", id])];
  for (const name of ["x-request-id", "X-REQUEST-ID", "X-Request-ID"]) yield [of, plus(one, [name, api.runId])];
  const others = ["Request-Id", "X-Correlation-Id", "X-Amzn-Trace-Id", "Idempotency-Key"];
  yield [of, plus(one, ...others.map((name) => [name, api.runId] as const))];
  yield [of, plus(one, ["X-Request-Id", `one-${api.runId}`], ["X-Request-Id", `other-${api.runId}`])];
  for (const target of PATHS)
    for (const method of ["HEAD", "OPTIONS"]) {
      const request = wireOfLiteral(api, { method, target });
      yield [of, request];
      for (const id of [`${api.runId}.id`, `${api.runId}/${api.runId}`])
        yield [of, plus(request, ["X-Request-Id", id])];
      yield [of, request];
    }
  let at = 0;
  for (const request of layers(asking))
    for (const id of [`${api.runId}.${at++}`.padEnd(64, "x"), `${api.runId}/${api.runId}`])
      yield [of, plus(request, ["X-Request-Id", id])];
}

/** Responses that shared caches may store. */
function* stored({ api, operations, call }: Asking): Generator<Case> {
  const files = ["/openapi.json", "/openapi.yaml", "/robots.txt"].map((target) =>
    wireOfLiteral(api, { method: "GET", target }),
  );
  const documents = operations.flatMap((operation) =>
    mediaTypesOf(operation).length > 1 ? mediaTypesOf(operation).map((accept) => call(operation, { accept })) : [],
  );
  for (const request of [...documents, ...files])
    for (const fields of [[], [["If-None-Match", "*"]], [["Accept-Encoding", "gzip"]]] as const)
      for (const method of ["GET", "HEAD"])
        yield ["http/request-id-stored", plus({ ...request, method }, ...fields, ["X-Request-Id", api.runId])];
}

function* ofPages(asking: Asking): Generator<Case> {
  const { api, operations, call } = asking;
  const origins = ["https://app.example", "null", "http://localhost:3000", `https://${wordOf(api)}.example`];
  const page = ["Cookie", "session=1"] as const;
  const cross = ["Sec-Fetch-Site", "cross-site"] as const;
  for (const [at, request] of [...layers(asking)].entries())
    for (const origin of [origins[at % 3] ?? "", origins[3] ?? ""])
      yield ["cors/any-origin", plus(request, ["Origin", origin], page, cross)];
  const names = "x-api-key,x-platform,content-type,idempotency-key,x-request-id,if-none-match,traceparent,tracestate";
  const calls = operations.map((operation) => call(operation, { credentials: "none" }));
  const asked = [
    ...calls.map(({ method, target }) => [method, target] as const),
    ...["GET", "HEAD", "POST"].flatMap((method) => ["/api/", "/api"].map((target) => [method, target] as const)),
    ...PATHS.slice(3, 6).map((target) => ["GET", target] as const),
  ];
  for (const [method, target] of asked)
    for (const [at, origin] of origins.entries()) {
      const more = at === 1 ? [] : [["Access-Control-Request-Headers", names] as const];
      const headers = [["Origin", origin] as const, ["Access-Control-Request-Method", method] as const, ...more];
      yield ["cors/preflight", wireOfLiteral(api, { method: "OPTIONS", target, headers })];
    }
}

/** Each query and its rejections by GET and by HEAD; the last on a connection that is read to its end. */
function* byHead(asking: Asking): Generator<Case> {
  const { api, operations, call } = asking;
  const id = ["X-Request-Id", `head-${api.runId}`] as const;
  const queries = operations.filter(({ method }) => method === "GET");
  const requests = [
    ...queries.flatMap((operation) =>
      [
        ...[{}, { at: "%40" as const }, { query: [["no-such-parameter", "1"] as const] }, { accept: "image/png" }],
        ...mediaTypesOf(operation).map((accept) => ({ accept })),
        ...(operation.auth ? [{ credentials: "none" as const }] : []),
      ].map((options) => call(operation, options)),
    ),
    ...queries.flatMap((operation) =>
      ['"another"', "*"].map((tag) => plus(call(operation), ["If-None-Match", tag], ["Accept-Encoding", "gzip"])),
    ),
    ...PATHS.flatMap((target) =>
      ["*/*", "application/json"].map((accept) =>
        wireOfLiteral(api, { method: "GET", target, headers: [["Accept", accept]] }),
      ),
    ),
  ];
  for (const request of requests)
    for (const method of ["GET", "HEAD"]) yield ["dispatch/head", plus({ ...request, method }, id)];
  for (const request of requests)
    yield ["dispatch/head", plus({ ...request, method: "HEAD" }, ["Connection", "close"])];
}

/** A deployment must not derive its own address from these. */
const ELSEWHERE: Fields = Object.entries({
  "X-Forwarded-Host": "elsewhere.example",
  "X-Forwarded-Proto": "gopher",
  "X-Forwarded-Prefix": "/elsewhere",
  "X-Original-URL": "/elsewhere/",
  Forwarded: "host=elsewhere.example;proto=gopher",
  Origin: "https://elsewhere.example",
  Referer: "https://elsewhere.example/",
});

function* elsewhere({ api, operations, call }: Asking): Generator<Case> {
  yield ["errors/type", wireOfLiteral(api, { method: "GET", target: "/openapi.json" })];
  for (const operation of operations) {
    const request = call(operation, operation.auth ? { credentials: "none" } : { query: [["no-such-parameter", "1"]] });
    for (const fields of [ELSEWHERE, ...ELSEWHERE.map((one) => [one])]) yield ["errors/type", plus(request, ...fields)];
  }
}

/** The word of the run wherever a caller may write: long, in markup, and where a parser stops. */
function* echoes(asking: Asking): Generator<Case> {
  const { api, operations, call } = asking;
  const of = "errors/no-echo";
  const word = wordOf(api);
  for (const request of layers(asking)) yield [of, plus(request, ["X-Unknown", word], ["Accept-Language", word])];
  const targets = [
    `/${word.repeat(600)}`,
    `/%3Cscript%3E${word}%3C/script%3E`,
    `/api/${word}`,
    `/${word}?${word}=${word}`,
  ];
  for (const method of ["GET", "PUT", "POST"])
    for (const target of targets) yield [of, wireOfLiteral(api, { method, target })];
  for (const operation of operations) {
    const base = call(operation);
    const put = (name: string, value: string) => plus(base, [name, value]);
    yield [of, put("X-Unknown", word.repeat(1500))];
    yield [of, put("Expect", word)];
    for (const name of ["Transfer-Encoding", "Content-Length"]) yield [of, put(name, word)];
    yield [of, { ...base, method: word.toUpperCase() }];
    if (operation.method === "GET")
      for (const value of [word.repeat(30), Buffer.from(word).toString("base64url"), `<script>${word}</script>`])
        for (const name of [...Object.keys(operation.input), word])
          yield [of, call(operation, { query: [[name, value]] })];
    else {
      const post = (body: unknown) => call(operation, { body: body as string });
      for (const value of [
        word,
        word.repeat(30),
        `\n<script>${word}</script>`,
        ` ${word}@@a`,
        { [word]: word },
        [word],
      ])
        for (const name of [...Object.keys(operation.input), word])
          yield [of, post({ "@": operation.name, data: { [name]: value } })];
      const wrong = [word, `{"${word}":"${word}`, `{"@":"${operation.name}","data":{}} ${word}`, `"${word}"`];
      for (const body of [...wrong, `{"@":"\\${word}"}`, word.repeat(8000)]) yield [of, post(body)];
      for (const name of ["Content-Encoding", "Idempotency-Key"]) yield [of, put(name, `${word} ${word}`)];
    }
  }
}

export const headers: List = function* (asking) {
  yield* requestIds(asking);
  yield* stored(asking);
  yield* ofPages(asking);
  yield* byHead(asking);
  yield* elsewhere(asking);
  yield* echoes(asking);
};
