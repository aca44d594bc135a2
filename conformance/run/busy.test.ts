// Responses that ask to wait: the laws see each form of them once, and what was sent is sent again.
import { expect, it } from "vitest";
import { requestTo } from "../http/line.test-kit.ts";
import { write } from "../http/write.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { BUSY } from "./exchange.ts";
import { begun, calling } from "./run.test-kit.ts";

const SOON = { "Retry-After": "0" };
const PAGE = {
  headers: {
    ...{ ...SOON, "Content-Type": "text/html", "X-Powered-By": "Express", "Set-Cookie": "id=1" },
    "Referrer-Policy": "no-referrer",
  },
  body: "<pre>Error: Too many requests\n    at limit (/srv/app/limit.js:12:7)</pre>",
};
const BROKEN = [
  "errors/media-type",
  "errors/members",
  "errors/nothing-leaks",
  "http/no-banner",
  "http/request-id",
];

const document = (code: string, status: number) => ({
  headers: {
    ...{ ...SOON, "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
    ...{
      "X-Request-Id": "one",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
    ...{ "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED },
  },
  body: JSON.stringify({
    ...{ type: `https://h.example/api/?@=docs.get.problems#${code}`, title: "Wait", status },
    ...{ detail: "Wait.", code, requestId: "one" },
  }),
});
const EXPOSED =
  "X-Request-Id, X-Operation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset";

/** What the laws find where a deployment is busy for these requests, and then is not. */
async function foundBusy(
  ...answers: readonly { status: number; headers: Record<string, string>; body: string }[]
) {
  const left = [...answers];
  const url = await deploy({ before: () => left.shift() ?? null });
  const run = begun(url);
  for (const _ of answers.slice(0, 1)) expect((await calling(run))?.response?.status).toBe(200);
  expect(left).toEqual([]);
  const busy = run.results.findings.filter(({ script }) => script === BUSY);
  run.client.close();
  return busy
    .map(({ requirement, exchanges }) => `${requirement} ${exchanges[0]?.response?.status}`)
    .sort();
}

it.each([429, 503])("finds what is wrong with a page with status %i, once", async (status) => {
  const page = { status, ...PAGE };
  const found = await foundBusy(page, page, page);
  expect(found).toEqual(expect.arrayContaining(BROKEN.map((id) => `${id} ${status}`)));
  expect(new Set(found).size).toBe(found.length);
});

it("finds what is wrong with each form", async () => {
  const right = { status: 429, ...document("rate-limited", 429) };
  const plain = { ...right, headers: { ...right.headers, "Content-Type": "application/json" } };
  expect(await foundBusy(right, plain)).toEqual(["errors/media-type 429"]);
});

it.each([
  [429, "rate-limited"],
  [503, "overloaded"],
])("finds nothing in a right one: %i %s", async (status, code) => {
  expect(await foundBusy({ status, ...document(code, status) })).toEqual([]);
});

it("finds it in a conversation of several requests too", async () => {
  const left = [{ status: 429, ...PAGE }];
  const url = await deploy({ before: () => left.shift() ?? null });
  const run = begun(url);
  const bytes = write(requestTo(url, { fields: [["Connection", "close"]] }), "");
  const { responses } = await run.client.converse([bytes], { heads: [false] });
  run.client.close();
  expect(responses.map(({ status }) => status)).toEqual([200]);
  expect(run.results.findings.map(({ requirement }) => requirement)).toEqual(
    expect.arrayContaining(BROKEN),
  );
});
