import type { Figures } from "./load.ts";

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The measurements: by row, by server, by round. */
export type Measured = Readonly<Record<string, Readonly<Record<string, readonly Figures[]>>>>;

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((one, two) => one - two);
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return { median: (low + high) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

export interface Target {
  readonly name: string;
  readonly limit: number;
  /** The value compared with the limit; a ratio is that of medians of one run. */
  readonly value: number;
  readonly isMet: boolean;
}

export interface Start {
  /** Seconds of CPU until the first response. */
  readonly cpuS: number;
  readonly residentMib: number;
  /** MiB added by the end of the run. */
  readonly grownMib: number;
}

/** Our own targets, as far as their rows were run. */
export function targets(measured: Measured, start: Start | null): readonly Target[] {
  const figure = (row: string, server: string, by: "cpuUs" | "perSecond") =>
    spreadOf((measured[row]?.[server] ?? []).map((one) => one[by])).median;
  const cpu = (row: string, server = "service") => figure(row, server, "cpuUs");
  const info = cpu("sysinfo");
  const list = cpu("user.list of 50");
  const atMost = (name: string, value: number, limit: number) => ({ name, value, limit, isMet: value <= limit });
  const created = figure("user.create", "service", "perSecond") / figure("user.create", "knex", "perSecond");
  const ownHealth =
    cpu("test.health, credentials in headers") -
    cpu("test.health, credentials in headers", "driver") +
    cpu("sysinfo", "http");
  const all = [
    atMost("sysinfo ÷ Fastify", info / cpu("sysinfo", "fastify"), 1),
    atMost("sysinfo ÷ bare Koa", info / cpu("sysinfo", "koa"), 1.3),
    atMost("sysinfo ÷ express-openapi-validator", info / cpu("sysinfo", "express-openapi-validator"), 1 / 3),
    atMost("test.health without the storage's own cost ÷ sysinfo", ownHealth / info, 1.5),
    ...["401, a wrong key", "404, no such operation", "422, a wrong limit"].map((row) =>
      atMost(`${row} ÷ sysinfo`, cpu(row) / info, 1),
    ),
    ...["8 kB of parameters", "8 kB of headers", "60 kB of JSON"].map((what) =>
      atMost(`401, without a key, ${what} ÷ sysinfo`, cpu(`401, without a key, ${what}`) / info, 3),
    ),
    atMost("304 ÷ sysinfo", cpu("docs.get.README, If-None-Match") / info, 1),
    atMost("user.list ÷ Koa + Knex + sqlite3", list / cpu("user.list of 50", "knex"), 0.5),
    atMost("user.list ÷ the driver's prepared statement", list / cpu("user.list of 50", "driver"), 1.5),
    atMost("deep page ÷ first page", cpu("user.list of 50, deep") / list, 1.2),
    { name: "user.create, throughput ÷ Koa + Knex + sqlite3", value: created, limit: 2, isMet: created >= 2 },
    ...(start === null
      ? []
      : [
          atMost("start to first answer, s of CPU", start.cpuS, 0.6),
          atMost("MiB after start", start.residentMib, 80),
          atMost("MiB more at the end of the run", start.grownMib, 40),
        ]),
  ];
  return all.filter(({ value }) => !Number.isNaN(value));
}
