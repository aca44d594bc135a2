import type { Exchange, Response } from "../exchange.ts";
import { emptyState, type KnownState } from "../model/known-state.ts";
import type { Request } from "../oracle/model-state.ts";
import type { Oracle } from "../oracle/predict.ts";

export const get = (target: string, method = "GET"): Request => ({
  method,
  target,
  fields: [["Host", "h"]],
  body: "",
});

export const worldOf = (oracle: Oracle): KnownState => {
  const key = { scopes: oracle.contract.scopes, platforms: ["web"], valid: true };
  return emptyState(oracle, { url: "http://h", keys: new Map([["k", key]]), platforms: ["web"] });
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
  overrides: Partial<Exchange> = {},
): Exchange => ({
  request,
  response: sent && responseOf(sent),
  error: null,
  prediction: null,
  sentAt: 0,
  endedAt: 1,
  connection: 1,
  ...overrides,
});

/** An exchange with its prediction in a state. */
export const exchanged = (model: KnownState, request: Request, sent: Sent): Exchange =>
  exchangeOf(request, sent, { prediction: model.oracle.predict(request, model) });
