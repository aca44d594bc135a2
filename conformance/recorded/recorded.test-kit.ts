import { vi } from "vitest";
import type { Exchange } from "../exchange.ts";
import { Client } from "../http/client.ts";
import { parseTarget } from "../http/target.ts";
import type { View } from "../laws/view.ts";
import { View as Viewed } from "../laws/view.ts";
import { packaged } from "../packaged.ts";
import type { Credentials } from "../run/options.ts";
import { runAt } from "../run/run.test-kit.ts";
import type { Entry } from "./json-lines.ts";
import { replay } from "./replay.ts";

const suite = packaged;

/** What a run against a deployment has sent and received, in order; without bytes that a recording does not show. */
export async function recorded(url: string, credentials: Credentials): Promise<readonly Exchange[]> {
  const { send } = Client.prototype;
  const all: Exchange[] = [];
  const spy = vi.spyOn(Client.prototype, "send").mockImplementation(async function (this: Client, ...given) {
    const exchange = await send.apply(this, given);
    all.push(exchange);
    return exchange;
  });
  await runAt(url, { credentials, draws: 100 }, true);
  spy.mockRestore();
  return all.filter(isReadable).sort((one, other) => one.sentAt - other.sentAt);
}

const isReadable = ({ request, response }: Exchange) =>
  response !== null &&
  request.framing === undefined &&
  request.version !== "1.0" &&
  /^\/[!-~]*$/.test(request.target) &&
  request.fields.filter(([name]) => /^host$/i.test(name)).length === 1 &&
  !request.fields.some(
    ([name, value]) => /^(?:transfer-encoding|content-length)$/i.test(name) || /[^\t -~]/.test(value),
  );

/** As a line of JSON lines. */
export const lineOf = (url: string, { request, response, sentAt, endedAt }: Exchange): string =>
  JSON.stringify({
    ...{ startedAt: new Date(sentAt).toISOString(), endedAt: new Date(endedAt).toISOString() },
    request: {
      ...{ method: request.method, url: url + request.target, headers: request.fields },
      bodyBase64: Buffer.from(request.body, "latin1").toString("base64"),
    },
    response: { status: response?.status, headers: response?.fields, bodyBase64: response?.body.toString("base64") },
  });

const headers = (fields: Exchange["request"]["fields"]) => fields.map(([name, value]) => ({ name, value }));

/** As an entry of a HAR, the body decoded as a browser does. */
export function harEntry(url: string, exchange: Exchange): object {
  const { request, response, sentAt, endedAt } = exchange;
  const content = response ? viewOf(exchange, response).content : Buffer.alloc(0);
  return {
    ...{ startedDateTime: new Date(sentAt).toISOString(), time: endedAt - sentAt },
    request: {
      ...{
        method: request.method,
        url: url + request.target,
        httpVersion: "HTTP/1.1",
        headers: headers(request.fields),
      },
      ...(request.body !== "" && { postData: { text: Buffer.from(request.body, "latin1").toString() } }),
    },
    response: {
      ...{ status: response?.status, headers: headers(response?.fields ?? []) },
      content: { size: content.length, text: content.toString("base64"), encoding: "base64" },
    },
  };
}

const viewOf = (exchange: Exchange, response: NonNullable<Exchange["response"]>): View =>
  new Viewed(suite.oracle.contract, exchange, response);

export const harOf = (entries: readonly object[]): string => JSON.stringify({ log: { version: "1.2", entries } });

export const replayed = (
  url: string,
  credentials: Credentials | null,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
) => replay(suite, { target: parseTarget(url), credentials }, entries);
