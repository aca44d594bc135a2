import type { Exchange, Response } from "../exchange.ts";
import { emptyWorld, type Known } from "../model/learn.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";

export const get = (target: string, method = "GET"): Request => ({
  method,
  target,
  fields: [["Host", "h"]],
  body: "",
});

export const worldOf = (oracle: Oracle): Known => {
  const key = { scopes: oracle.contract.scopes, platforms: ["web"], valid: true };
  return emptyWorld(oracle, { url: "http://h", keys: new Map([["k", key]]), platforms: ["web"] });
};

/** A response, with a JSON value as its body if there is one. */
export type Sent = Partial<Omit<Response, "body">> & { readonly body?: string | Buffer };

function responseOf({ json, body, ...sent }: Sent): Response {
  const text = json === undefined ? "" : JSON.stringify(json);
  const defaults = { status: 200, reason: "", version: "1.1", fields: [], omitted: 0 };
  return { ...defaults, ...sent, json, body: Buffer.from(body ?? text) };
}

/** An exchange, of which nothing is predicted; without a response if none is sent. */
export const exchangeOf = (
  request: Request,
  sent: Sent | null,
  more: Partial<Exchange> = {},
): Exchange => ({
  ...{ request, response: sent && responseOf(sent), error: null, prediction: null },
  ...{ sentAt: 0, endedAt: 1, connection: 1 },
  ...more,
});

/** An exchange of a world, predicted. */
export const exchanged = (world: Known, request: Request, sent: Sent): Exchange =>
  exchangeOf(request, sent, { prediction: world.oracle.predict(request, world) });
