import { type Check, check } from "../checks/check.ts";
import type { Api } from "../client/api.ts";
import { describe, fail } from "../client/expect.ts";
import { bytesOf } from "../client/send.ts";
import { written } from "../explore/draft.ts";
import { drawn } from "../explore/grammar.ts";
import { type Asking, askingOf, judged, learn, ownAddresses, withheldFrom } from "../lists/list.ts";
import { FILES } from "../models/model.ts";
import type { Request } from "../oracle/world.ts";
import { page, post, simple } from "./requests.ts";
import { inChunks, talkEach, withFields } from "./talk.ts";

/** After any traffic, the deployment still works (D13). */

const GARBAGE = ["\r\n", "\x00", "GET ", ":\r\n", "\xff".repeat(70)].map((bytes) => bytes.repeat(1000));
const UPGRADE = Object.entries({ Connection: "Upgrade", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__" });

/** Bytes whose sender leaves without reading: requests and chunks that are cut, responses, and bytes that are no request. */
function attacks(api: Api): readonly (string | Buffer)[] {
  const asking = askingOf(api);
  const command = post(asking);
  const whole = bytesOf(api, command, "close");
  const chunked = bytesOf(api, inChunks([100])({ ...command, body: command.body.padEnd(5000) }), "close");
  const large = bytesOf(api, page(asking), null);
  return [
    ...[0, 1, 5, 40, -20, -5].map((end) => whole.subarray(0, end)),
    ...[-5, -100, -4000].map((end) => chunked.subarray(0, end)),
    ...[Buffer.concat(Array.from({ length: 20 }, () => large)), ...GARBAGE],
    bytesOf(api, withFields(simple(asking), ...UPGRADE), "close"),
  ];
}

/** A response may be missing, but none may have a 5xx status. */
async function leave(api: Api, bytes: string | Buffer): Promise<void> {
  const { replies } = await api.raw(bytes, { closeAfter: true });
  const fault = replies.find(({ status }) => status >= 500);
  if (fault) fail("status", "no fault of the server", describe(fault));
}

/** How many requests are drawn from the grammar of an exploration; those that would create something are not sent. */
const DRAWN = 150;

/** A head just within its limits: a proxy in front adds header fields, and then it may be too large. Lists try the limits. */
function isTight({ oracle }: Asking, { target, fields: headers }: Request): boolean {
  const { headFields, headBytes, targetBytes } = oracle.contract.limits;
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return headers.length > headFields * 0.8 || bytes > headBytes * 0.8 || target.length > targetBytes * 0.8;
}

const alive = (name: string, run: (api: Api) => Promise<void>): Check =>
  check(`http/stays-alive#${name}`, { effect: "hostile", decided: true }, async (api) => {
    await learn(api);
    await run(api);
    const { operations, call } = askingOf(api);
    await talkEach(
      askingOf(api),
      operations.map((one) => call(one)),
    );
  });

export const stayingAlive: readonly Check[] = [
  alive("left", async (api) => {
    for (let turn = 0; turn < 2; turn += 1) for (const bytes of attacks(api)) await leave(api, bytes);
  }),
  alive("left-at-once", async (api) => {
    await Promise.all(Array.from({ length: 50 }, () => leave(api, "GET /api/?@=")));
  }),
  alive("drawn", async (api) => {
    const asking = askingOf(api);
    const addresses = ownAddresses(api);
    for (const draft of drawn(asking, FILES, DRAWN, api.seed)) {
      const request = written(draft(), addresses);
      const prediction = asking.oracle.predict(request, asking.model);
      const isCarriedOut = request.method === "POST" && [prediction.code, ...(prediction.or ?? [])].includes(null);
      if (isCarriedOut || isTight(asking, request) || withheldFrom(asking, request, prediction, addresses)) continue;
      const { finding } = await judged(asking, request, prediction);
      if (finding) throw finding.expectation.saidFirstBy(finding.by);
    }
  }),
];
