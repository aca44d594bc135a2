import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { describe, fail } from "../../client/expect.ts";
import { seededRandom } from "../../client/random.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { refusals, sendFaulty } from "../faults.ts";
import { inCase, toJudge } from "../probe.ts";
import { objectIn } from "./shape.ts";

interface Canary {
  /** Not a word of any language, of letters that are never encoded; derived from the run's seed. */
  readonly word: string;
  /** Larger than every limit. */
  readonly number: number;
}

/** No word contains four of these letters in a row. */
const LETTERS = "qxzjkvw";

function canaryOf({ seed }: Api): Canary {
  const random = seededRandom(seed);
  const word = Array.from({ length: 12 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join("");
  return { word, number: 1_000_000 + Math.floor(random() * 9_000_000) };
}

function expectNoEcho(reply: Reply, { word, number }: Canary): void {
  const text = reply.text.toLowerCase();
  const found = (text: string) => text.toLowerCase().includes(word);
  // `errors/media-type` reports a body that is no JSON object; its text must not repeat input either.
  const { requestId: _, ...problem } = objectIn(reply) ?? {};
  for (const [member, value] of Object.entries(problem)) {
    const said = JSON.stringify([member, value]).toLowerCase();
    // A server that masks the input may still repeat its start or its end.
    const part = [word, word.slice(0, 4), word.slice(-4), String(number)].find((part) => said.includes(part));
    if (part !== undefined)
      fail(`body:/${member}`, "nothing of what the caller wrote in the problem", describe(reply, text.indexOf(part)));
  }
  if (found(text)) fail("body", "nothing of what the caller wrote in the problem", describe(reply, text.indexOf(word)));
  const reason = reply.exchange.answer?.reason ?? "";
  if (found(reason)) fail("status", "nothing of what the caller wrote in the reason phrase", reason);
  const header = reply.headers.find(([name, value]) => found(name + value));
  if (header)
    fail(`header:${header[0].toLowerCase()}`, "nothing of what the caller wrote in a header", header.join(": "));
  if (reply.status < 400) fail("status", "a refusal", describe(reply));
}

/** Requests that contain the word, each with the name of the case. */
type Cases = (api: Api, canary: Canary) => readonly (readonly [what: string, send: () => Promise<Reply>])[];

const reading: Cases = (api, { word, number }) => {
  const call = (what: string, name: string, options: CallOptions = {}) =>
    [what, () => api.call(name, options)] as const;
  const list = (what: string, options: CallOptions) => call(what, "user.list", options);
  const get = (what: string, target: string, method = "GET") => [what, () => api.request({ method, target })] as const;
  const keyed = (what: string, key: object, platform: object = { header: api.platform }) =>
    list(what, { credentials: { key, platform } });
  return [
    call("a long name", word.repeat(30)),
    call("a name behind a dot", `user.${word}`),
    call("a document outside the pattern", `docs.get../${word}`),
    get("the name twice", `/api/?@=${word}&@=${word}`),
    get("another method", `/api/?@=${word}`, "DELETE"),
    list("a long integer", { input: { limit: word.repeat(30) } }),
    list("an integer out of range", { input: { limit: number } }),
    list("a cursor in base64", { input: { cursor: Buffer.from(word).toString("base64url") } }),
    keyed("X-API-KEY in the query", { query: word }),
    keyed("X-PLATFORM in the query", { header: api.key }, { query: word }),
    list("a large header", { headers: { "X-Unknown": word.repeat(2000) } }),
    get("a path below the endpoint", `/api/${word}`),
    get("a path with a query", `/nothing?${word}=${word}`),
    get("markup in a path", `/%3Cscript%3E${word}%3C/script%3E`),
    get("a long path", `/${word.repeat(1000)}`),
    get("another method on a path", `/${word}`, "PUT"),
  ];
};

const writing: Cases = (api, { word, number }) => {
  const post = (what: string, body: unknown, options: CallOptions = {}) =>
    [what, () => api.call("user.create", { body, ...options })] as const;
  const data = (what: string, value: unknown) => post(what, { "@": "user.create", data: value });
  const none = { "@": "user.create", data: {} };
  const header = (name: string, value: string) => post(name, none, { headers: { [name]: value } });
  return [
    post("a name that is no text", { "@": { [word]: word }, data: {} }),
    post("an unknown member", { ...none, [word]: 1 }),
    data("the name of a member in data", { [word]: 1 }),
    data("the value of a member in data", { unknown: word }),
    data("data itself", word),
    data("a long name", { name: word.repeat(30) }),
    data("a name that is no text", { name: { [word]: word } }),
    data("a name that is an array", { name: [word] }),
    data("a name that is a number", { name: number }),
    data("an e-mail address", { name: "Ada", email: word }),
    data("blanks around a name, two @ in an address", { name: ` ${word}`, email: `${word}@@a` }),
    data("a good one beside a wrong name", { name: "", email: `${word}@a` }),
    data("markup", { name: `\n<script>${word}</script>`, email: "x" }),
    post("no JSON", word),
    post("JSON that ends too early", `{"${word}":"${word}`),
    post("something behind the JSON", `{"@":"user.create","data":{}} ${word}`),
    post("a text as the body", JSON.stringify(word)),
    post("a bad escape", `{"@":"\\${word}"}`),
    post("bytes that are no UTF-8", Buffer.from(`{"@":"${word}\u00e9"}`, "latin1")),
    post("a large body", word.repeat(8000)),
    header("Content-Type", `application/json; charset=${word}`),
    header("Content-Encoding", word),
    post("headers of all kinds", none, {
      headers: {
        ...{ "Accept-Language": word, "User-Agent": word, "X-Unknown": word },
        ...{ "Idempotency-Key": `${word} ${word}`, "X-Request-Id": `${word} ${word}` },
        Referer: `https://a.example/${word}`,
      },
    }),
  ];
};

async function expectNoEchoes(api: Api, cases: Cases): Promise<void> {
  const canary = canaryOf(api);
  for (const [what, send] of cases(api, canary)) await inCase(what, async () => expectNoEcho(await send(), canary));
}

/** A problem repeats nothing of the request (Errors, D3, D20). */
export const echoes: readonly Check[] = [
  check("errors/no-echo#each-code", {}, async (api) => {
    const canary = canaryOf(api);
    for (const one of refusals)
      await inCase(one.code, async () => expectNoEcho(await sendFaulty(api, one, [], canary.word), canary));
  }),
  check("errors/no-echo#read", {}, (api) => expectNoEchoes(api, reading)),
  check("errors/no-echo#written", { effect: "write" }, (api) => expectNoEchoes(api, writing)),
  check("errors/no-echo#unreadable", { effect: "hostile" }, async (api) => {
    const target = api.path("/api/?@=sysinfo");
    const canary = canaryOf(api);
    const { word } = canary;
    const fields = [
      ["Expect", word],
      ["Content-Length", word],
      ["Transfer-Encoding", word],
      [`${word} `, word],
    ] as const;
    const cases = [
      `${word}\r\n\r\n`,
      api.rawRequest({ method: word.toUpperCase(), target }),
      api.rawRequest({ target, version: word }),
      ...fields.map((field) => api.rawRequest({ target, headers: [field] })),
      api.rawRequest({ target: `${target}&a=${word.repeat(5000)}` }),
    ];
    // A server may close some of these connections without a response.
    const answers: Reply[] = [];
    for (const bytes of cases) {
      answers.push(...(await api.raw(bytes)).replies);
      await api.alive();
    }
    for (const reply of toJudge(answers, "answer to bytes that are no request")) expectNoEcho(reply, canary);
  }),
];
