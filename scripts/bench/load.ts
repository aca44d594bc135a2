import autocannon from "autocannon";
import type { Server } from "./server.ts";

/** A request and its expected response: a failing server cannot win. */
export interface Work {
  readonly name: string;
  /** How many requests a round sends. */
  readonly amount: number;
  readonly connections?: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, which makes it a POST; no two are the same. */
  readonly body?: (serial: number) => string;
  readonly status: number;
  /** A part of the expected body; one response in a hundred is checked. */
  readonly holds: string;
}

let serial = 0;

/**
 * Microseconds of CPU of the server for one of `amount` requests. Throws if a response is not as
 * expected.
 */
export async function load(server: Server, work: Work, amount: number): Promise<number> {
  const { name, path, headers = {}, body, status, holds, connections = 32 } = work;
  const faults = new Set<string>();
  let received = 0;
  const check = (got: number, text: string): void => {
    received += 1;
    if (got !== status) faults.add(`${got}: ${text.slice(0, 200)}`);
    else if (received % 100 === 1 && !text.includes(holds))
      faults.add(`${got} without ${holds}: ${text.slice(0, 200)}`);
  };
  const post = body && {
    method: "POST" as const,
    headers: { ...headers, "content-type": "application/json" },
    setupRequest: (one: autocannon.Request) => ({ ...one, body: body(serial++) }),
  };
  const before = server.cpuUs();
  const result = await autocannon({
    url: server.url,
    connections,
    amount,
    requests: [{ path, headers, onResponse: check, ...post }],
    timeout: 30,
    // It checks for its end as often as it samples: each second by default.
    sampleInt: 100,
  });
  if (faults.size > 0 || result.errors > 0 || received !== amount)
    throw new Error(
      `${server.name}, ${name}: ${received} of ${amount}, ${result.errors} errors, ${[...faults]}`,
    );
  return (server.cpuUs() - before) / amount;
}
