// The three clients, each against the same table of cases, on real sockets.
import { execFileSync, spawn } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Call, type Case, cases } from "../test/clients/cases.ts";
import type { Outcome } from "../test/clients/responses.ts";
import { serveScript } from "../test/clients/scripted-server.ts";
import { BOUND_MS, withMoreTime } from "../test/patience.ts";
import { AtpointError, createClient, defaults } from "./client.ts";

interface Given {
  readonly baseUrl: string;
  readonly key: string;
  readonly platform: string;
  readonly timeoutMs: number;
  readonly call: Call;
}

interface Driver {
  /** The defaults of the client. */
  readonly defaults: unknown;
  run(given: Given): Promise<Outcome>;
  stop?(): void;
}

const inTypeScript: Driver = {
  defaults,
  async run({ baseUrl, key, platform, timeoutMs, call: { name, input, walk, abortAfterMs, ...more } }) {
    const items: unknown[] = [];
    try {
      const { accept, idempotencyKey, ...settings } = more;
      // Proof: that the types fit the contract, client.test.ts shows; here inputs are wrong on purpose.
      const client = createClient({ baseUrl, apiKey: key, platform, timeoutMs, ...settings }) as unknown as {
        call(...words: unknown[]): Promise<unknown>;
        walk(...words: unknown[]): AsyncGenerator<unknown>;
      };
      const signal = abortAfterMs === 0 ? AbortSignal.abort() : abortAfterMs && AbortSignal.timeout(abortAfterMs);
      if (!walk) return { answer: await client.call(name, input, { accept, idempotencyKey, signal }) };
      for await (const item of client.walk(name, input)) items.push(item);
      return { items };
    } catch (error) {
      if (!(error instanceof AtpointError)) return { raised: String(error) };
      const { name: _, cause, message, ...rest } = error;
      // Only this client has reasons and fields in its message: client.test.ts.
      return { ...(walk && { items }), error: { message: message.replace(/ \(.*\)$/, ""), ...rest } };
    }
  },
};

/** A driver in another language: a process that reads a call a line. */
async function process(command: string, ...words: string[]): Promise<Driver> {
  const child = spawn(command, words, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...globalThis.process.env, ...ENV },
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null");
  const run = (given: Given): Promise<Outcome> => {
    child.stdin.write(`${JSON.stringify(given)}\n`);
    return next();
  };
  return { defaults: await next(), run, stop: () => void child.kill() };
}

const { dirname: here } = import.meta;
const drivers = join(here, "../test/clients");
// The clients speak to this machine, whatever proxy the environment has. Python leaves nothing in the sources.
const ENV = { NO_PROXY: "127.0.0.1", PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: "1" };

async function inGo(): Promise<Driver> {
  const cwd = await mkdtemp(join(tmpdir(), "atpoint-go-"));
  await writeFile(join(cwd, "go.mod"), "module try\n\ngo 1.19\n");
  await cp(join(drivers, "driver.go"), join(cwd, "main.go"));
  await cp(join(here, "atpoint.go"), join(cwd, "atpoint/atpoint.go"));
  const build = 'gofmt -d . >&2 && test -z "$(gofmt -l .)" && go vet ./... && go build -o driver .';
  execFileSync("sh", ["-c", build], { cwd, stdio: "inherit" });
  const { stop, ...driver } = await process(join(cwd, "driver"));
  return { ...driver, stop: () => void rm(cwd, { recursive: true }).then(stop) };
}

const languages = [
  { language: "TypeScript", probe: "node", open: async () => inTypeScript },
  { language: "Python", probe: "python3", open: () => process("python3", join(drivers, "driver.py")) },
  { language: "Go", probe: "go", open: inGo },
];

/** What differs with each run. */
const steady = (found: Outcome): Outcome =>
  JSON.parse(
    JSON.stringify(found)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time"),
    (_, value) => value ?? undefined,
  );

async function passes(driver: Driver, one: Case, timeoutMs: number): Promise<void> {
  const { server: script, users, call, outcome, requests = script.length, sent } = one;
  const { url, serviceKey = "atp_key", attempts } = await serveScript(script, users);
  const { baseUrl = url, key = serviceKey, platform = "web" } = call;
  const found = steady(await driver.run({ baseUrl, key, platform, timeoutMs, call }));
  if (outcome.raised) expect(found.raised).toContain(outcome.raised);
  else expect(found).toEqual(outcome);
  // An error may be in a log.
  expect(JSON.stringify(found)).not.toContain("s3cret");
  if (requests !== null) expect(attempts).toHaveLength(requests);
  if (sent) expect(attempts).toMatchObject(sent);
  else expect(new Set(attempts.filter(Boolean).map((attempt) => JSON.stringify(attempt))).size).toBeLessThanOrEqual(1);
}

const isThere = (command: string): boolean => {
  try {
    execFileSync("sh", ["-c", `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
};

describe.each(languages)("the client for $language", ({ language, probe, open }) => {
  if (!isThere(probe)) {
    const leftOut = `${language} is LEFT OUT: there is no ${probe} here`;
    console.warn(leftOut);
    it.todo(leftOut);
    return;
  }
  let driver: Driver;
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver?.stop?.());

  it("has the same defaults", () => expect(driver.defaults).toEqual(defaults));

  it.for(cases.filter(({ lacking }) => lacking !== language))("$title", async (one) => {
    if (one.timed) await withMoreTime((timeoutMs) => passes(driver, one, timeoutMs));
    else await passes(driver, one, BOUND_MS);
  });
});
