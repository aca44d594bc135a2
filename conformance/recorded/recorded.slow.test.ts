// A run of the packaged suite is recorded once, and replayed.
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Exchange, Response } from "../exchange.ts";
import { Client } from "../http/client.ts";
import { MOST_FILE } from "../http/limits.ts";
import { parseTarget } from "../http/target.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { fieldsOf } from "../oracle/model-state.ts";
import { utf8Of } from "../oracle/parsed-request.ts";
import { packaged } from "../packaged.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { optionsFor } from "../proof/service.ts";
import { Results } from "../run/results.ts";
import { run } from "../run/run.ts";
import { readJsonLines } from "./entries.ts";
import { readHar } from "./har.ts";
import { replay } from "./replay.ts";

let service: RunningService;
/** What a run has sent and received, in order; without bytes that a recording does not show. */
let all: readonly Exchange[];
beforeAll(async () => {
  service = await startService();
  const spy = vi.spyOn(Client.prototype, "send");
  const options = optionsFor(service.url, service.credentials);
  const coveringCases = (packaged.coveringCases ?? []).filter((_, at) => at % 3 === 0);
  await run({ ...packaged, coveringCases }, { ...options, randomCaseCount: 100 });
  const sent = spy.mock.settledResults.flatMap(({ type, value }) =>
    type === "fulfilled" ? [value] : [],
  );
  spy.mockRestore();
  all = sent.filter(isReadable).sort((one, other) => one.sentAt - other.sentAt);
});
afterAll(() => service.stop());

const isReadable = ({ request: { framing, version, target, fields }, response }: Exchange) =>
  response !== null &&
  framing === undefined &&
  version !== "1.0" &&
  /^\/[!-~]*$/.test(target) &&
  fieldsOf(fields, "Host").length === 1 &&
  !fields.some(
    ([name, value]) =>
      /^(?:transfer-encoding|content-length)$/i.test(name) || /[^\t -~]/.test(value),
  );
/** Nor what no browser sends, nor what is no text: that of a HAR has no byte order mark. */
const isOfBrowser = ({ request: { target, fields, body } }: Exchange) =>
  !target.includes("#") &&
  fieldsOf(fields, "Host").join() !== "" &&
  utf8Of(body) !== null &&
  !body.startsWith("\xef\xbb\xbf");

const timeOf = (ms: number) => new Date(ms).toISOString();
function lineOf({ request, response, sentAt, endedAt }: Exchange): string {
  const { method, target, fields: headers, body } = request;
  const bodyBase64 = Buffer.from(body, "latin1").toString("base64");
  return JSON.stringify({
    startedAt: timeOf(sentAt),
    endedAt: timeOf(endedAt),
    request: { method, url: service.url + target, headers, bodyBase64 },
    response: {
      status: response?.status,
      headers: response?.fields,
      bodyBase64: response?.body.toString("base64"),
    },
  });
}
const asLines = (some: readonly Exchange[]) =>
  readJsonLines(some.map((one) => Buffer.from(`${lineOf(one)}\n`)));

const named = (fields: Exchange["request"]["fields"] = []) =>
  fields.map(([name, value]) => ({ name, value }));
/** The body is decoded, as by a browser. */
function entryOf(exchange: Exchange) {
  const { request, response, sentAt, endedAt } = exchange;
  const { method, target, fields, body } = request;
  const content = response
    ? new ParsedExchange(packaged.oracle.contract, exchange, response).content
    : Buffer.alloc(0);
  const encoded = { size: content.length, text: content.toString("base64"), encoding: "base64" };
  const postData = body === "" ? undefined : { text: utf8Of(body) ?? "" };
  return {
    startedDateTime: timeOf(sentAt),
    time: endedAt - sentAt,
    request: { method, url: service.url + target, headers: named(fields), postData },
    response: { status: response?.status, headers: named(response?.fields), content: encoded },
  };
}
const harOf = (entries: readonly object[], creator?: string) =>
  readHar([
    Buffer.from(JSON.stringify({ log: { version: "1.2", creator: { name: creator }, entries } })),
  ]);
const asHar = (some: readonly Exchange[]) => harOf(some.map(entryOf));

type HarEntry = ReturnType<typeof entryOf>;
const withoutFields = ({ headers }: HarEntry["request"], which: RegExp) =>
  headers.filter(({ name }) => !which.test(name));
/** What other recorders keep of an entry, by the sources and files of some of them. */
const recorders: Readonly<Record<string, (entry: HarEntry) => HarEntry>> = {
  "axios-har-tracker": ({ request, response, ...rest }) => {
    const text = Buffer.from(response.content.text, "base64").toString();
    const json = /^\s*[[{]/.test(text) ? JSON.stringify(JSON.parse(text)) : text;
    const content = { size: text.length, text: json, encoding: "" };
    const headers = response.headers.filter(({ name }) => !/^content-encoding$/i.test(name));
    const method = request.method.toLowerCase();
    return {
      ...rest,
      request: { ...request, method, headers: withoutFields(request, /^host$/i) },
      response: { ...response, headers, content },
    };
  },
  "Playwright, provisional": ({ request, ...rest }) => {
    const added = /^(?:host|origin|cookie|accept(?:-.*)?|if-none-match|access-control-.*)$/i;
    return { ...rest, request: { ...request, headers: withoutFields(request, added) } };
  },
};

/**
 * What is found, and how much was compared; `wrong`: the entries about which something is found.
 */
async function outcome(entries: Parameters<typeof replay>[2], hasKeys = true) {
  const find = vi.spyOn(Results.prototype, "find");
  const credentials = hasKeys ? service.credentials : null;
  const options = { target: parseTarget(service.url), credentials, isVerbose: false };
  const { results, counts, verdict, exitCode } = await replay(packaged, options, entries);
  const wrong = new Set(find.mock.calls.map(([{ entry }]) => entry));
  find.mockRestore();
  const findings = results.findings.map(
    (one) => `${one.requirement} ${one.aspect} ${one.actual.slice(0, 3)} ${one.entry}`,
  );
  return { result: { findings, verdict, exitCode }, counts, wrong };
}
const right = { findings: [], verdict: "conformant (recorded)", exitCode: 0 };

describe("recorded traffic of a right deployment", () => {
  it.each<[string, typeof asLines, typeof isReadable]>([
    ["JSON lines", asLines, () => true],
    ["a HAR", asHar, isOfBrowser],
  ])("has no finding, as %s", async (_, as, isOf) => {
    const some = all.filter(isOf);
    const { counts, result } = await outcome(as(some));
    expect(result).toEqual(right);
    expect(counts.compared / some.length).toBeGreaterThan(0.85);
  });

  it.each(Object.entries(recorders))(
    "has none as recorded by %s, and is still compared",
    async (name, keep) => {
      const some = all.filter(isOfBrowser).slice(-1000).map(entryOf).map(keep);
      const { counts, result } = await outcome(harOf(some, name));
      expect([result.findings, counts.left]).toEqual([[], {}]);
      expect(counts.compared / some.length).toBeGreaterThan(0.7);
      const successes = some.filter(({ response }) => response.status === 200).slice(0, 200);
      const wrong = successes.map((entry) => ({
        ...entry,
        response: { ...entry.response, status: 500 },
      }));
      expect((await outcome(harOf(wrong, name))).wrong.size).toBe(wrong.length);
    },
  );

  it("has none without keys, and with less of it compared", async () => {
    const { counts, result } = await outcome(asLines(all), false);
    expect(result).toEqual(right);
    expect(counts.undecided["key unknown"]).toBeGreaterThan(300);
  });

  it("has none when it begins in the middle", async () => {
    expect((await outcome(asLines(all.slice(all.length / 2)))).result).toEqual(right);
  });
});

/**
 * Right creations of one user, and the conflicts that follow: `201 0-10` has its status, its
 * beginning and its end.
 */
function creations(times: string): readonly Exchange[] {
  const plain = all.filter(
    ({ request }) => fieldsOf(request.fields, "Idempotency-Key").length === 0,
  );
  const created = plain.find(({ response }) => response?.status === 201);
  const conflict = plain.find(({ response }) => Object(response?.json).code === "email-taken");
  return times.split(", ").flatMap((time) => {
    const [status, sentAt = 0, endedAt = 0] = time.split(/\D/).map(Number);
    const { response } = (status === 201 ? created : conflict) ?? {};
    if (!created || !response) return [];
    const idOf = (name: string) =>
      status === 201 && /^x-request-id$/i.test(name) && crypto.randomUUID();
    const fields = response.fields.map(([name, value]) => [name, idOf(name) || value] as const);
    return [{ ...created, response: { ...response, fields }, sentAt, endedAt }];
  });
}

it.each([
  ["201 0-100, 409 50-150", 1, { "from before the recording": 1 }, []],
  ["409 0-100, 201 50-150", 1, { "from before the recording": 1 }, []],
  ["201 0-10, 409 10-20", 1, { "from before the recording": 1 }, []],
  ["201 0-10, 409 20-30, 201 5-8", 2, { "older than the entry before": 1 }, []],
  ["201 0-10, 201 20-30", 2, {}, ["user.create/email-taken status 201 2"]],
])("compares in the order that is known: %s", async (times, compared, undecided, findings) => {
  const { result, counts } = await outcome(asLines(creations(times)));
  expect([counts.compared, counts.undecided, result.findings]).toEqual([
    compared,
    undecided,
    findings,
  ]);
});

it("forgets what it knows after much traffic, as if the recording began there", async () => {
  const [first, large, last] = creations("201 0-10, 503 20-30, 201 40-50");
  if (!first || !large?.response || !last) expect.fail();
  const body = Buffer.alloc(MOST_FILE);
  const largeError = { ...large, response: { ...large.response, status: 503, body } };
  const foundBehind = async (times: number) => {
    const { result } = await outcome(asLines([first, ...Array(times).fill(largeError), last]));
    return result.findings.length;
  };
  expect([await foundBehind(1), await foundBehind(20)]).toEqual([1, 0]);
});

type Change = (response: Response) => Response;
const without =
  (wanted: string): Change =>
  (one) => ({ ...one, fields: one.fields.filter(([name]) => name.toLowerCase() !== wanted) });
const replacing =
  (from: string | RegExp, to: string): Change =>
  (one) => ({ ...one, body: Buffer.from(one.body.toString().replace(from, to)) });
const changes: readonly Change[] = [
  (one) => ({ ...one, status: one.status === 200 ? 201 : 200 }),
  ...["x-operation", "content-type"].map(without),
  replacing(/"code":"[^"]*"/, '"code":"another"'),
  replacing(/^\{/, '{"more":1,'),
];

it.each([
  [true, 0.9],
  [false, 0.6],
])("wrong responses are found, with keys (%s) more often", async (hasKeys, least) => {
  const isJson = ({ request, response }: Exchange) =>
    request.method !== "HEAD" && response?.json !== undefined;
  const some = all.filter(isJson).filter((_, at) => at % 9 === 0);
  const numbers = new Map(some.slice(0, 300).map((one, at) => [one, at]));
  const changed = all.map((exchange) => {
    const change = changes[(numbers.get(exchange) ?? -1) % changes.length];
    return change && exchange.response
      ? { ...exchange, response: change(exchange.response) }
      : exchange;
  });
  // Some have nothing to change: no such field, no such member.
  const wanted = changed.flatMap((one, at) => (isDeepStrictEqual(one, all[at]) ? [] : [at + 1]));
  const { result, wrong } = await outcome(asLines(changed), hasKeys);
  expect(result).toMatchObject({ verdict: "not conformant", exitCode: 1 });
  expect(wanted.filter((at) => wrong.has(at)).length / wanted.length).toBeGreaterThan(least);
});
