import autocannon from "autocannon";
import type { Server } from "./server.ts";

/** A request and its expected response: a failing server cannot win. */
export interface Work {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST; no two are the same. */
  readonly body?: (serial: number) => string;
  readonly status: number;
  /** A part of the expected body; one response in a hundred is checked. */
  readonly holds: string;
}

export interface Figures {
  /** Microseconds of CPU of the server for one request. */
  readonly cpuUs: number;
  readonly perSecond: number;
}

let serial = 0;

/** Sends `amount` requests over this many connections. Throws if a response is not as expected. */
export async function load(server: Server, work: Work, amount: number, connections = 32): Promise<Figures> {
  const { path, method = "GET", headers = {}, body, status, holds } = work;
  const faults = new Set<string>();
  let answered = 0;
  let lastAt = 0;
  const judge = (got: number, text: string): void => {
    answered += 1;
    lastAt = performance.now();
    if (got !== status) faults.add(`${got}: ${text.slice(0, 200)}`);
    else if (answered % 100 === 1 && !text.includes(holds))
      faults.add(`${got} without ${holds}: ${text.slice(0, 200)}`);
  };
  const request = {
    path,
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    onResponse: judge,
    ...(body && { setupRequest: (one: autocannon.Request) => ({ ...one, body: body(serial++) }) }),
  };
  const before = server.cpuUs();
  const startedAt = performance.now();
  // It checks for its end as often as it samples: each second by default.
  const result = await autocannon({
    url: server.url,
    connections,
    amount,
    requests: [request],
    timeout: 30,
    sampleInt: 100,
  });
  const cpuUs = server.cpuUs() - before;
  if (faults.size > 0 || result.errors > 0 || answered !== amount)
    throw new Error(
      `${server.name} ${method} ${path}: ${answered} of ${amount}, ${result.errors} errors, ${[...faults]}`,
    );
  // Not by its own clock, which ticks each second.
  return { cpuUs: cpuUs / amount, perSecond: amount / ((lastAt - startedAt) / 1000) };
}
