// Responses that ask to wait: the laws see each form of them once, and what was sent is sent again.
import { expect, it, onTestFinished } from "vitest";
import { requestTo } from "../http/endpoint.test-kit.ts";
import { write } from "../http/write.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { BUSY } from "./exchange.ts";
import { begun, calling } from "./run.test-kit.ts";

const PAGE = {
  headers: { "Retry-After": "0", "Content-Type": "text/html", "X-Powered-By": "Express" },
  body: "<pre>Error: Too many requests\n    at limit (/srv/app/limit.js:12:7)</pre>",
};
const BROKEN = [
  "errors/media-type",
  "errors/members",
  "errors/nothing-leaks",
  "http/no-banner",
  "http/request-id",
];

/** A deployment that answers so at first, and a run of it. */
async function busy(times: number, status: number) {
  const left = Array.from({ length: times }, () => ({ status, ...PAGE }));
  const url = await deploy({ before: () => left.shift() ?? null });
  const waits: number[] = [];
  const run = begun(url, { onLimit: (waitMs) => waits.push(waitMs) });
  onTestFinished(() => run.client.close());
  const busyFindings = () =>
    run.results.findings.flatMap(({ script, requirement, exchanges }) =>
      script === BUSY ? [`${requirement} ${exchanges[0]?.response?.status}`] : [],
    );
  return { run, url, busyFindings, waits };
}

it.each([
  [429, [50, 50, 50]],
  [503, []],
])(
  "finds what is wrong with a page with status %i, once; waits %j ms for a limit",
  async (...row) => {
    const [status, limited] = row;
    const { run, busyFindings, waits } = await busy(3, status);
    expect((await calling(run))?.response?.status).toBe(200);
    expect(waits).toEqual(limited);
    expect(busyFindings()).toEqual(expect.arrayContaining(BROKEN.map((id) => `${id} ${status}`)));
    expect(new Set(busyFindings()).size).toBe(busyFindings().length);
  },
);

it("finds it in a conversation of several requests too", async () => {
  const { run, url, busyFindings } = await busy(1, 429);
  const bytes = write(requestTo(url, { fields: [["Connection", "close"]] }), "");
  const { responses } = await run.client.converse([bytes], { heads: [false] });
  expect(responses.map(({ status }) => status)).toEqual([200]);
  expect(busyFindings()).toEqual(expect.arrayContaining(BROKEN.map((id) => `${id} 429`)));
});
