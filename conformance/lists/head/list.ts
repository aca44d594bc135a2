import { credentialFields, JSON_TYPE } from "../../checks/probe.ts";
import { commands, simplest } from "../../client/operation.ts";
import type { Operation } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import { type Asking, type Case, type List, varied } from "../list.ts";
import { DOTTED, NEAR_MISSES, QUERIES } from "./paths.ts";

/** The head of a request (D11, D13): both sides of every limit, targets, paths, hosts, expectations. */

const HOSTS =
  "|a b|a/b|[::1]|[::1]:80|localhost:|localhost:80|example.com:99999999|a@b|a,b|[::1|a_b|%61|%zz|a\u00e9".split("|");
const EXPECTATIONS = [
  ..."100-continue|100-Continue|100-CONTINUE|100-continuex|x100-continue|100-continue, x|x|".split("|"),
  ...["200-ok", "100-continue;q=1", "\u{1d7cf}00"],
];
const TARGETS = [
  ..."* api/ example.com:80 ftp://example.com/api/ HTTP://example.com/api/ https://[::1/api/ http:///api/".split(" "),
  ..."http:// ?@=x xhttp://a/api/ a://api/ file:///api/ a://[/api/ ftp://[::1/api/ ftp://xn--/api/".split(" "),
  ...["http://[::1/api/", "https://a:b/api/"],
];

/** Field values that are repeated up to 8,000 bytes, and odd ones as they are: optional fields, by name. */
const LONG = `Accept *|Accept ,|Accept a/b;q=|Accept-Encoding ,;q=,|If-None-Match ",|If-None-Match W/|Range bytes=0-,
X-API-KEY x|Idempotency-Key x|Origin x|Cookie a=b;|Content-Type a/b;|X-Forwarded-For ,|Connection upgrade, keep-alive, `;
const ODD = `If-Modified-Since never|Range bytes=-1|Upgrade websocket|TE trailers|Accept \xff|X-API-KEY \xff\xfe
Accept ;q=1|Accept a|Accept */*;q=2|Accept */*;q=0.0001|Accept /|Accept */json|Accept text/*;q=x|Accept , ,
Accept a/b;c="|Range bytes=0-0|Range bytes=9-1|Range x|Accept-Encoding x|Accept-Encoding ;q=1|Accept-Encoding gzip;q=x
Accept-Encoding identity;q=0, *;q=0|If-None-Match "|If-None-Match *|If-None-Match "",|If-None-Match W/""
If-None-Match abc|If-None-Match "a" "b"|__proto__ x|constructor x|toString x|hasOwnProperty x`;
const fieldsOf = (lines: string, most: number) =>
  lines.split(/[|\n]/).map((line) => {
    const [, name = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    return [name, value.repeat(Math.max(1, most / value.length))] as const;
  });
const FIELDS = [...fieldsOf(LONG, 8_000), ...fieldsOf(ODD, 1)];

function* ofFields({ operations, call }: Asking): Generator<Case> {
  const queries = operations.filter(({ method }) => method === "GET");
  // One without credentials, and one with them.
  for (const operation of [true, false].flatMap((auth) => queries.find((one) => one.auth === auth) ?? []))
    for (const [name, value] of FIELDS) {
      const request = call(operation);
      const others = request.fields.filter(([one]) => one !== name);
      yield ["http/stays-alive", { ...request, fields: [...others, [name, value]] }];
    }
}

/** Header fields that no server knows. */
const fillers = (count: number, length = 1) =>
  Array.from({ length: count }, (_, n) => [`X-${n}`, "x".repeat(length)] as const);

function* ofLimits({ api, oracle }: Asking, operation: Operation): Generator<Case> {
  const { targetBytes, headFields, headBytes } = oracle.contract.limits;
  const query = `@=${operation.name}`;
  const request = (target: string, headers: Request["fields"] = []): Request => ({
    ...{ method: "GET", target, body: "" },
    fields: [["Host", api.host], ["Connection", "close"], ...headers],
  });
  const base = `/api/?${query}`;
  // A deployment below a path prefix has a longer target.
  const room = targetBytes - api.path("").length;
  for (const size of [room / 2, Math.floor(room / 2) + 2, room - 1, room, room + 1, room + 2, room * 2].map(Math.floor))
    yield ["http/url-limit", request(`${base}&x=${"x".repeat(size - base.length - 3)}`)];
  for (const count of [headFields / 2, headFields / 2 + 1, headFields - 1, headFields, headFields + 1, headFields + 2])
    yield ["http/header-count", request(base, fillers(count - 2))];
  const used = request(base).fields.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  for (const size of [headBytes / 2, headBytes / 2 + 1, headBytes + 1, headBytes + 2, headBytes * 2])
    yield ["http/header-limit", request(base, [["X-Filler", "x".repeat(size - used - "X-Filler".length - 4)]])];
  for (const [method, path] of [
    ["HEAD", base],
    ["OPTIONS", "/api/?"],
    ["OPTIONS", "/api?"],
    ["GET", "/?"],
    ["GET", "/robots.txt?"],
    ["GET", "/no-such-path?"],
  ] as const) {
    yield ["http/url-limit", { ...request(`${path}${"x".repeat(targetBytes)}`), method }];
    yield ["http/expectation", { ...request(path, [["Expect", api.runId]]), method }];
    yield ["http/malformed-request", { ...request(path), method, fields: [["Connection", "close"]] }];
    yield ["http/header-limit", { ...request(path, [["X-Filler", "x".repeat(headBytes)]]), method }];
    yield ["http/header-count", { ...request(path, fillers(headFields)), method }];
  }
  for (const size of [24_000, 60_000, 100_000])
    yield ["http/header-limit", request(base, [["X-Filler", "x".repeat(size)]])];
  for (const count of [150, 500, 2100, 10_000]) {
    const same = Array.from({ length: count }, () => ["x", "1"] as const);
    yield ["http/header-count", request(base, same)];
  }
  for (const count of [900, 10_000])
    yield ["http/url-limit", request(`${base}&${Array.from({ length: count }, (_, n) => `p${n}=1`).join("&")}`)];
  yield ["http/header-limit", request(`${base}&x=${"x".repeat(room - base.length - 3)}`, fillers(3, 4_000))];
  // However bytes are counted: a request whose whole head has this many is within the limit, one with more in names and values
  // alone is not.
  for (const count of [1, 3, 90])
    for (const [of, goal] of [
      ["within", headBytes],
      ["over", headBytes + 1],
    ] as const) {
      const rest = fillers(count - 1, Math.max(1, Math.floor(headBytes / count) - 40));
      const bare = request(base, [...rest, ["X-Filler", ""]]);
      const text = bare.fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
      const line = `GET ${api.path(base)} HTTP/1.1`.length + 4;
      const size = of === "within" ? text + 4 * bare.fields.length + line : text;
      const sized = [...rest, ["X-Filler", "x".repeat(goal - size)] as const];
      yield ["http/header-limit", request(base, sized)];
      if (of === "within") yield ["http/header-limit", request("/api/?@=".padEnd(room, "x"), sized)];
    }
  const json = [JSON_TYPE];
  for (const size of [room, room + 1, room * 2])
    yield ["http/url-limit", { ...request("/api/?X-PLATFORM=".padEnd(size, "x"), json), method: "POST", body: "{}" }];
  const posted = { ...request(base, json), method: "POST", body: "{}" };
  yield ["http/malformed-request", { ...posted, fields: json }];
  yield ["http/expectation", { ...posted, fields: [...posted.fields, ["Expect", api.runId]] }];
  for (const size of [room, room + 1]) yield ["http/url-limit", request("/".padEnd(size, "x"))];
  for (const target of TARGETS) yield ["http/malformed-request", request(target)];
  const hosted = (hosts: Request["fields"]): Case => [
    "http/malformed-request",
    { ...request(base), fields: [...hosts, ["Connection", "close"]] },
  ];
  yield hosted([]);
  for (const host of HOSTS) yield hosted([["Host", host]]);
  yield hosted(["Host", "host"].map((name) => [name, api.host]));
  yield ["http/malformed-request", request(base, [["Transfer_Encoding", "x"]])];
  for (const name of ["Expect", "expect", "eXPECT"])
    for (const value of EXPECTATIONS) yield ["http/expectation", request(base, [[name, value]])];
  const expected = ["Expect", "100-continue"] as const;
  yield ["http/expectation", request(base, [expected, expected])];
}

const PREFLIGHT = [
  ["Origin", "https://app.example"],
  ["Access-Control-Request-Method", "GET"],
] as const;

/** A redirect is relative, whatever a proxy says. */
const ELSEWHERE = [
  ["X-Forwarded-Host", "elsewhere.example"],
  ["X-Forwarded-Proto", "https"],
  ["X-Forwarded-Prefix", "/elsewhere"],
  ["Forwarded", "host=elsewhere.example;proto=https"],
] as const;

function* ofPaths({ api, oracle }: Asking, operation: Operation): Generator<Case> {
  const query = `?@=${operation.name}`;
  const credentials = credentialFields(api);
  const request = (method: string, target: string, headers: Request["fields"] = [], body = ""): Request => ({
    ...{ method, target, fields: [["Host", api.host], ...headers], body },
  });
  const json = [JSON_TYPE];
  for (const path of NEAR_MISSES) yield ["http/unknown-path", request("GET", path + query)];
  for (const path of NEAR_MISSES.filter((_, at) => at % 9 === 0)) {
    for (const method of ["GET", "HEAD", "OPTIONS"]) yield ["http/unknown-path", request(method, path)];
    yield ["http/unknown-path", request("OPTIONS", path, PREFLIGHT)];
    yield ["http/unknown-path", request("GET", path + query, credentials)];
    for (const method of ["POST", "PUT", "DELETE"]) yield ["http/unknown-path", request(method, path, json, "{}")];
  }
  for (const target of [
    `/api/#?@=${simplest.name}`,
    `/api\\?@=${simplest.name}#`,
    `/api?@=${simplest.name}#x`,
    "/openapi.json#",
    "/robots.txt#x",
    `/api/${query}#x`,
  ])
    yield ["http/unknown-path", request("GET", target)];
  const named = Object.values(oracle.contract.operations).map((one) => `/api/${one.name.replace(/[{}]/g, "")}/../`);
  for (const path of [...DOTTED, ...named]) {
    for (const method of ["GET", "HEAD", "OPTIONS"]) yield ["http/dot-segments", request(method, path + query)];
    yield ["http/dot-segments", request("GET", path)];
    yield ["http/dot-segments", request("POST", path, json, "{}")];
    yield ["http/dot-segments", request("POST", path, json, JSON.stringify({ "@": commands[0]?.name ?? "x" }))];
  }
  for (const one of QUERIES)
    for (const method of ["GET", "HEAD", "POST"])
      yield ["http/slash-redirect", request(method, one === "" ? "/api" : `/api?${one}`)];
  yield ["http/slash-redirect", request("GET", "/api?")];
  for (const headers of [ELSEWHERE, [["X-API-KEY", `no-key-${api.runId}`] as const], credentials])
    yield ["http/slash-redirect", request("GET", `/api${query}`, headers)];
  for (const one of ["", "?@=x", "?@=no.such&%zz"])
    for (const headers of [[], PREFLIGHT]) yield ["http/slash-options", request("OPTIONS", `/api${one}`, headers)];
}

export const head: List = function* (asking) {
  yield* varied(ofLimits(asking, simplest));
  yield* ofFields(asking);
  yield* ofPaths(asking, simplest);
};
