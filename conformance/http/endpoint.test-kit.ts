import { BOUND_MS } from "../../src/test/patience.ts";
import { contract } from "../contract.ts";
import type { Request } from "../oracle/model-state.ts";
import { Client } from "./client.ts";
import { noGateway } from "./gateway.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { createNumbering, type Endpoint } from "./socket.ts";
import { parseTarget } from "./target.ts";

interface Options {
  readonly timeoutMs?: number;
  /** Milliseconds from now to the end of the run. */
  readonly left?: number;
  readonly patienceMs?: number;
}

export const endpointTo = (url: string, { timeoutMs = BOUND_MS }: Options = {}): Endpoint => ({
  target: parseTarget(url),
  certificate: null,
  timeoutMs,
  numberOf: createNumbering(),
  signal: new AbortController().signal,
});

export function clientOf(url: string, options: Options = {}): Client {
  const { target, timeoutMs, signal } = endpointTo(url, options);
  const { left = BOUND_MS, patienceMs = BOUND_MS } = options;
  const deadline = { endsAt: Date.now() + left };
  const rateLimiter = new RateLimiter({
    intervalMs: 0,
    signal,
    deadline,
    tell: () => {},
    patienceMs,
  });
  return new Client({
    target,
    timeoutMs,
    signal,
    gateway: noGateway,
    rateLimiter,
    limits: contract.limits,
  });
}

/** A request to a target; `fields` follow `Host`. */
export const requestTo = (
  url: string,
  { fields = [], ...rest }: Partial<Request> = {},
): Request => ({
  method: "GET",
  target: "/api/?@=sysinfo",
  body: "",
  ...rest,
  fields: [["Host", parseTarget(url).host], ...fields],
});
