// The exchange that a failure shows is the one that failed: its `again` line reproduces the fault, and finds none in a right
// service.
import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secretsOf } from "../client/credentials.ts";
import { valueAt } from "../client/examples.ts";
import type { Answer } from "../client/wire/exchange.ts";
import { checks } from "../suite.ts";
import { judgeAt, type RunningService } from "../test/service.test-kit.ts";
import { seededService } from "./laboratory.ts";
import { concerns } from "./mutant.ts";
import { startProxy } from "./proxy/server.ts";
import { mutantCalled } from "./served.ts";

/**
 * Mutants of each family: hand-written, points and perturbations, each with checks that catch it. Most of these send more
 * requests after the one that failed.
 */
const KILLS = {
  "user.list shows less to a key in the query": "user.list/*",
  "user.list gives one less": "user.list/*",
  "user.list takes an invalid cursor for the end": "user.list/invalid-cursor",
  "the caller's address is that of X-Forwarded-For": "sysinfo/forwarded-for",
  "user.list 200 application/json drops Link": "user.list/link",
  "user.list 200 application/json renames createdAt in /items/*": "answers/schema",
  "HEAD user.list 401 application/problem+json drops WWW-Authenticate": "dispatch/head",
  "docs.get 200 text/html drops X-Operation": "dispatch/x-operation",
  "400 malformed-query drops Access-Control-Allow-Origin": "cors/any-origin",
  "the platform | trimmed | all": "credentials/whole",
  "the key | by its beginning | credentials in the query": "credentials/whole",
  "the order of checks | without checkScope | all": "credentials/scope",
  "user.list: parameter limit | as a list | all": "input/unknown-parameter",
  "the name of an operation | without case | all": "dispatch/case-sensitive",
} as const;

type Seen = Pick<Answer, "status" | "headers"> & { readonly body: string };

/** The output of `curl --include`. */
function read(printed: string): Seen {
  const end = printed.indexOf("\r\n\r\n");
  const [line = "", ...fields] = printed.slice(0, end).split("\r\n");
  const headers = fields.map((field) => [field.split(":", 1)[0] ?? "", field.slice(field.indexOf(":") + 2)] as const);
  return { status: Number(line.split(" ")[1]), headers, body: printed.slice(end + 4) };
}

/** The part of a response that a failure is about; for a list, its beginning. */
function at(aspect: string, { status, headers, body }: Seen): unknown {
  if (aspect === "status") return status;
  const [kind, place = ""] = aspect.split(/:(.*)/s);
  if (kind === "header") return headers.filter(([name]) => name.toLowerCase() === place).map(([, value]) => value);
  return place === "" ? body : valueAt(JSON.parse(body), place.replaceAll("*", "0"));
}

describe("the line that sends a failed exchange again", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await seededService();
  });
  afterAll(() => service.stop());

  const send = async (line: string): Promise<Seen> => {
    const keys = Object.fromEntries(secretsOf(service.credentials).map(({ name, value }) => [name, value]));
    const { PATH } = process.env;
    const printed = await new Promise<string>((resolve, reject) =>
      execFile("sh", ["-c", line], { env: { PATH, ...keys } }, (error, out) => (error ? reject(error) : resolve(out))),
    );
    return read(printed);
  };

  it.each(Object.entries(KILLS))("shows it: %s", async (id, requirement) => {
    const mutant = mutantCalled(id, service.credentials);
    if (!mutant) throw new Error(`no mutant is called ${id}`);
    const proxy = await startProxy(mutant.hooks, service.url, 0, { credentials: service.credentials.full });
    try {
      const some = checks.filter((one) => concerns({ of: [requirement] }, one.requirement) && one.kind !== "pair");
      const { results } = await judgeAt(proxy.url, service.credentials, some);
      const { failure } = results.find(({ outcome }) => outcome === "failed") ?? {};
      const answer = failure?.exchanges[failure.guilty]?.answer;
      if (!failure || !answer) throw new Error(`not caught: ${JSON.stringify(results)}`);
      const failed = at(failure.aspect, { ...answer, body: answer.body.toString() });
      expect(at(failure.aspect, await send(failure.curl))).toEqual(failed);
      const [broken, sound] = [proxy.url, service.url].map((url) => new URL(url).host);
      const right = await send(failure.curl.replaceAll(broken ?? "", sound ?? ""));
      expect(at(failure.aspect, right)).not.toEqual(failed);
    } finally {
      await proxy.close();
    }
  });
});
