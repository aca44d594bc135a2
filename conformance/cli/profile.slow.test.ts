// A proxy in front rejects malformed requests in its own way: what operations promise holds.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packaged } from "../packaged.ts";
import { hooksOf } from "../proof/broken/index.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import type { Hooks } from "../proof/proxy/message.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { problemCode } from "../proof/proxy/sniff.ts";
import type { Suite } from "../run/state.ts";
import { brief, reported } from "./command.test-kit.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const some: Suite = { ...brief, scripts: packaged.scripts };
const OF_HTTP =
  /^(?:malformed-request|.*-too-large|uri-too-long|expectation-failed|method-not-implemented)$/;

/** Rejects what HTTP itself rejects by a page of its own. */
const html: Hooks = {
  answer: (answer) =>
    OF_HTTP.test(problemCode(answer) ?? "")
      ? {
          ...answer,
          fields: [["Content-Type", "text/html"]],
          body: Buffer.from("<h1>Bad request</h1>"),
        }
      : answer,
};

async function checked(hooks: Hooks, suite: Suite, ...words: string[]) {
  const proxy = await startProxy(hooks, service);
  const target = ["--url", proxy.url, "--credentials", service.credentialsFile, "--seed", "1"];
  const { code, report } = await reported([...target, ...words], { suite, env: {} });
  await proxy.close();
  const failed = report.requirements.flatMap(({ id, outcome }) => (outcome === "failed" ? id : []));
  return { code, failed, verdict: report.verdict };
}

it("is a verdict of its own, whatever rejects malformed requests", async () => {
  const right = { code: 0, failed: [], verdict: "conformant (operations)" };
  expect(await checked(html, packaged, "--profile", "operations", "--complete")).toEqual(right);
  expect(await checked(html, some, "--smoke")).toMatchObject({
    code: 1,
    verdict: "not conformant",
  });
});

const OF_PROTOCOL = /^(?:x-request-id|x-content-type-options|referrer-policy|access-control-.*)$/i;

/** Request ids of its own, and no header that only the protocol promises. */
const plain: Hooks = {
  answer: (answer) => {
    const id = randomUUID();
    const fields = answer.fields.filter(([name]) => !OF_PROTOCOL.test(name));
    const body = problemCode(answer)
      ? Buffer.from(answer.body.toString().replace(/(?<="requestId":")[^"]*/, id))
      : answer.body;
    return { ...answer, fields: [...fields, ["X-Request-Id", id]], body };
  },
};

it("is that of a server that keeps no more, and no scenario ends for what it lacks", async () => {
  const right = { code: 0, failed: [], verdict: "conformant (operations)" };
  expect(await checked(plain, packaged, "--profile", "operations", "--complete")).toEqual(right);
});

it("still finds what an operation breaks", async () => {
  const hooks = hooksOf("user.list takes an invalid cursor for the end");
  expect(await checked(hooks, some, "--profile", "operations")).toMatchObject({
    code: 1,
    failed: expect.arrayContaining(["user.list/invalid-cursor"]),
  });
});
