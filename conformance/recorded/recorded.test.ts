// A run of the packaged suite is recorded once, and replayed.
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Exchange, Response } from "../exchange.ts";
import { utf8Of } from "../oracle/reading.ts";
import { fieldsOf } from "../oracle/world.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import type { Credentials } from "../run/options.ts";
import { readHar } from "./har.ts";
import { readJsonLines } from "./json-lines.ts";
import { harEntry, harOf, lineOf, recorded, replayed } from "./recorded.test-kit.ts";

let service: RunningService;
let all: readonly Exchange[];
beforeAll(async () => {
  service = await startService();
  all = await recorded(service.url, service.credentials);
});
afterAll(() => service.stop());

const asLines = (some: readonly Exchange[]) => readJsonLines(some.map((one) => lineOf(service.url, one)));
const asHar = (some: readonly Exchange[]) =>
  readHar([Buffer.from(harOf(some.map((one) => harEntry(service.url, one))))]);
/** What a browser can send, with text as the body; that of a HAR has no byte order mark. */
const plain = () =>
  all.filter(
    ({ request }) =>
      !request.target.includes("#") &&
      fieldsOf(request.fields, "Host").join() !== "" &&
      utf8Of(request.body) !== null &&
      !request.body.startsWith("\xef\xbb\xbf"),
  );

/** By requirement, what is found; and how much was compared. */
const outcome = async (credentials: Credentials | null, entries: ReturnType<typeof readHar>) => {
  const { results, counts, verdict, exitCode } = await replayed(service.url, credentials, entries);
  const findings = results.findings.map(({ requirement, aspect, entry }) => `${requirement} ${aspect} ${entry}`);
  return { findings, counts, verdict, exitCode };
};

describe("recorded traffic of a right deployment", () => {
  const right = { findings: [], verdict: "conformant (recorded)", exitCode: 0 };

  it("has no finding, as JSON lines", async () => {
    const { counts, ...rest } = await outcome(service.credentials, asLines(all));
    expect(rest).toEqual(right);
    expect(counts.compared / all.length).toBeGreaterThan(0.85);
  });

  it("has none as a HAR", async () => {
    const { counts, ...rest } = await outcome(service.credentials, asHar(plain()));
    expect(rest).toEqual(right);
    expect(counts.compared / plain().length).toBeGreaterThan(0.85);
  });

  it("has none without keys, and with less of it compared", async () => {
    const { counts, ...rest } = await outcome(null, asLines(all));
    expect(rest).toEqual(right);
    expect(counts.undecided.get("key unknown")).toBeGreaterThan(1000);
  });

  it("has none when it begins in the middle", async () => {
    expect(await outcome(service.credentials, asLines(all.slice(all.length / 2)))).toMatchObject(right);
  });
});

describe("recorded traffic of a wrong one", () => {
  type Change = (response: Response) => Response;
  const withoutField =
    (wanted: RegExp): Change =>
    (one) => ({
      ...one,
      fields: one.fields.filter(([name]) => !wanted.test(name)),
    });
  const withBody =
    (change: (text: string) => string): Change =>
    (one) => ({
      ...one,
      body: Buffer.from(change(one.body.toString())),
    });
  const changes: readonly Change[] = [
    (one) => ({ ...one, status: one.status === 200 ? 201 : 200 }),
    (one) => ({ ...one, status: 500 }),
    withoutField(/^x-request-id$/i),
    withoutField(/^x-operation$/i),
    withoutField(/^content-type$/i),
    withoutField(/^cache-control$/i),
    withBody((text) => text.replace(/"code":"[^"]*"/, '"code":"another"').replace(/"id":/, '"it":')),
    withBody((text) => text.replace(/^\{/, '{"more":1,').replace(/"status":/, '"state":')),
  ];
  /** Every twelfth of the responses with a JSON body, each alone in the recording that is otherwise right. */
  const found = async (credentials: Credentials | null) => {
    const isJson = ({ request, response }: Exchange) => request.method !== "HEAD" && response?.json !== undefined;
    const isChanged = new Set(
      all
        .filter(isJson)
        .filter((_, at) => at % 9 === 0)
        .slice(0, 300),
    );
    const changed = [...isChanged];
    const some = all.map((one) => {
      const change = changes[changed.indexOf(one) % changes.length];
      return isChanged.has(one) && one.response && change ? { ...one, response: change(one.response) } : one;
    });
    // Some have nothing to change: no such field, no such member.
    const wrong = new Set(some.flatMap((one, at) => (isDeepStrictEqual(one, all[at]) ? [] : [at + 1])));
    const { wrong: shown, ...rest } = await replayed(service.url, credentials, asLines(some));
    return { ...rest, wrong: wrong.size, found: [...wrong].filter((at) => shown.has(at)).length };
  };

  it("is found", async () => {
    const { wrong, found: count, verdict, exitCode } = await found(service.credentials);
    expect({ verdict, exitCode }).toEqual({ verdict: "not conformant", exitCode: 1 });
    expect(count / wrong).toBeGreaterThanOrEqual(0.9);
  });

  it("is found without keys, less often", async () => {
    const { wrong, found: count } = await found(null);
    expect(count / wrong).toBeGreaterThan(0.6);
  });
});
