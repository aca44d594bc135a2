import { BOUND_MS } from "../../src/test/patience.ts";
import { contract } from "../contract.ts";
import type { Request } from "../oracle/world.ts";
import { Client } from "./client.ts";
import { noGateway } from "./gateway.ts";
import { Pace } from "./pace.ts";
import { createNumbering, type Line } from "./socket.ts";
import { parseTarget } from "./target.ts";

interface Options {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly tell?: (line: string) => void;
  /** Milliseconds from now to the end of the run. */
  readonly left?: number;
  readonly patienceMs?: number;
}

export const lineTo = (
  url: string,
  { timeoutMs = BOUND_MS, signal = new AbortController().signal }: Options = {},
): Line => ({
  ...{
    target: parseTarget(url),
    certificate: null,
    timeoutMs,
    signal,
    numberOf: createNumbering(),
  },
});

export function clientOf(
  url: string,
  options: Options & { readonly gateway?: typeof noGateway } = {},
): Client {
  const { target, timeoutMs, signal } = lineTo(url, options);
  const { tell = () => {}, left = BOUND_MS, patienceMs = BOUND_MS, gateway = noGateway } = options;
  const pace = new Pace({
    intervalMs: 0,
    signal,
    deadline: { endsAt: Date.now() + left },
    tell,
    patienceMs,
  });
  return new Client({ target, timeoutMs, signal, gateway, pace, limits: contract.limits });
}

/** A request to a target; `fields` follow `Host`. */
export const requestTo = (
  url: string,
  { fields = [], ...rest }: Partial<Request> = {},
): Request => ({
  ...{ method: "GET", target: "/api/?@=sysinfo", body: "" },
  ...rest,
  fields: [["Host", parseTarget(url).host], ...fields],
});
