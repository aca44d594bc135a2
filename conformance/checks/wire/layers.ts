import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import { Expectation } from "../../client/expectation.ts";
import { every, queries } from "../../client/operation.ts";
import { Reply } from "../../client/reply.ts";
import { type Check, check, checkAll } from "../check.ts";
import { answered } from "../probe.ts";
import { chunked, emptyCreate, refusedPost, SYSINFO } from "./support.ts";

/** An answer, and the layer that wrote it. */
type Layer = readonly [name: string, answer: Promise<Reply>];

/** What a header or its absence must be like in every answer; throws an `Expectation`. */
type Judge = (reply: Reply) => void;

/**
 * Checks of what holds for every answer: over one answer of each layer (each forgets it in its own way), and over all
 * answers of the run.
 */
export function everyAnswer(requirement: RequirementId, judge: Judge): readonly Check[] {
  return [
    check(`${requirement}#answers`, {}, async (api) => {
      await judgeLayers([...operationLayers(api), ...pathLayers(api)], judge);
      await judgeLayers([["an unchanged contract", unchanged(api)]], judge);
    }),
    check(`${requirement}#refusals`, { effect: "hostile" }, (api) => judgeLayers(refusalLayers(api), judge)),
    checkAll(`${requirement}#all-answers`, ({ request, answer }) => {
      // CONNECT speaks to proxies, and its answer needs to be nothing more than the end.
      if (answer && request.method !== "CONNECT")
        judge(new Reply({ request, answer, error: null, durationMs: 0 }, answer));
    }),
  ];
}

async function judgeLayers(layers: readonly Layer[], judge: Judge): Promise<void> {
  // All are under way: one that fails before its turn must not end the process.
  for (const [, answer] of layers) answer.catch(() => {});
  for (const [name, answer] of layers) {
    const reply = await answer.finally(() => Promise.allSettled(layers.map(([, other]) => other)));
    try {
      judge(reply);
    } catch (error) {
      if (!(error instanceof Expectation)) throw error;
      throw new Expectation(error.aspect, error.expected, `${error.actual} (${reply.status}, the answer to ${name})`);
    }
  }
}

/** Every operation: its success where nothing changes by it, its refusals. */
function operationLayers(api: Api): readonly Layer[] {
  return [
    ...queries.flatMap(({ id }): Layer[] => [
      [id, api.call(id, { input: api.example(id) })],
      [`${id} by HEAD`, api.call(id, { input: api.example(id), method: "HEAD" })],
    ]),
    ...every.flatMap(({ id, auth }): Layer[] =>
      auth ? [[`${id} without credentials`, api.call(id, { credentials: "none" })]] : [],
    ),
    ["user.create without data", api.call("user.create", { body: emptyCreate })],
    ["a wrong method", api.call("user.create", { method: "GET" })],
    ["an unknown parameter", api.call("sysinfo", { query: [["no-such-parameter", "1"]] })],
    ["an Accept that excludes all", api.call("docs.list", { accept: "image/png" })],
    ["an unknown document", api.call("docs.get", { input: { name: "no-such-document" } })],
    ["an unknown operation", api.call("no.such.operation")],
    ["no operation", api.request({ method: "GET", target: "/api/" })],
    ["a broken percent-escape", api.request({ method: "GET", target: "/api/?@=%zz" })],
    ["a body that is not JSON", api.call("user.create", { body: "{" })],
    [
      "a form",
      api.call("user.create", { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "a=b" }),
    ],
  ];
}

function pathLayers(api: Api): readonly Layer[] {
  const paths = ["/", "/api?@=sysinfo", "/openapi.json", "/openapi.yaml", "/robots.txt", "/no-such-path"];
  return [
    ...paths.map((target): Layer => [target, api.request({ method: "GET", target })]),
    ["/ as JSON", api.request({ method: "GET", target: "/", headers: [["Accept", "application/json"]] })],
    ["HEAD /", api.request({ method: "HEAD", target: "/" })],
    ["OPTIONS /api/", api.request({ method: "OPTIONS", target: "/api/" })],
    ["OPTIONS /api", api.request({ method: "OPTIONS", target: "/api" })],
    ["DELETE /api/", api.request({ method: "DELETE", target: "/api/" })],
    ["POST /robots.txt", api.request({ method: "POST", target: "/robots.txt" })],
  ];
}

/** 304. */
async function unchanged(api: Api): Promise<Reply> {
  const whole = await api.request({ method: "GET", target: "/openapi.json" });
  const headers = [["If-None-Match", whole.header("etag") ?? '"none"']] as const;
  return api.request({ method: "GET", target: "/openapi.json", headers });
}

/** What is refused before, or beside, the application (D13). */
function refusalLayers(api: Api): readonly Layer[] {
  const target = api.path(SYSINFO);
  const raw = async (name: string, bytes: string | Buffer): Promise<Reply> => answered(await api.raw(bytes), name);
  const large = "x".repeat(70_000);
  const cases: readonly (readonly [string, string | Buffer])[] = [
    ["bytes that are not HTTP", "this is not HTTP\r\n\r\n"],
    ["an unknown method token", api.rawRequest({ method: "FOO", target })],
    ["a missing Host", api.rawRequest({ target, host: null })],
    ["an unknown Expect", api.rawRequest({ target, headers: [["Expect", "a-miracle"]] })],
    ["a long URL", api.rawRequest({ target: `${target}${"x".repeat(10_000)}` })],
    ["a very long URL", api.rawRequest({ target: `${target}${"x".repeat(50_000)}` })],
    ["large headers", api.rawRequest({ target, headers: [["X-Padding", "x".repeat(20_000)]] })],
    ["very large headers", api.rawRequest({ target, headers: [["X-Padding", "x".repeat(50_000)]] })],
    ["many headers", api.rawRequest({ target, headers: Array.from({ length: 150 }, () => ["X-Padding", "x"]) })],
    ["a large body", api.rawRequest({ ...refusedPost(api), body: large })],
    ["a large body in chunks", api.rawRequest(chunked(refusedPost(api), large, 8192))],
    [
      "two lengths",
      api.rawRequest({
        ...refusedPost(api),
        headers: [
          ["Content-Length", "0"],
          ["Content-Length", "5"],
        ],
      }),
    ],
    [
      "a broken chunk",
      api.rawRequest({ ...refusedPost(api), headers: [["Transfer-Encoding", "chunked"]], body: "zz\r\n" }),
    ],
  ];
  return cases.map(([name, bytes]) => [name, raw(name, bytes)]);
}
