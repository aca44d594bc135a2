import { createHash } from "node:crypto";
import { encodeCursor } from "../../src/server/resources/pages.ts";
import type { Filled } from "./database.ts";
import type { Work } from "./load.ts";
import type { Program } from "./server.ts";

/** The servers: ours, ours with a list that is filtered and ordered, and five others. */
export type Name = "service" | "filtered" | "http" | "koa" | "fastify" | "knex" | "driver";

export function programOf(name: Name, { file }: Filled): Program {
  const peers = "scripts/bench/peers";
  if (name === "fastify") return { name, program: [`${peers}/fastify.js`] };
  if (name !== "service" && name !== "filtered")
    return { name, program: [`${peers}/plain.js`, name], env: { DATABASE: file } };
  // As `npm start` runs it.
  const env = { MALLOC_ARENA_MAX: "2", DATABASE_URL: `sqlite:${file}`, RATE_LIMITS: "off" };
  const main = name === "service" ? "dist/src/main.js" : `${peers}/filtered.js`;
  return { name, program: ["--max-semi-space-size=4", main], env };
}

export type Contender = readonly [server: Name, work: Work];

/** CPU for one request of the first, divided by that of the second in the same round. */
export interface Ratio {
  readonly name: string;
  readonly contenders: readonly [Contender, Contender];
  readonly limit: number | null;
}

/** A key of the right form and checksum would be looked up; most wrong keys have only the form. */
const wrongKey = `atp_${createHash("sha256").update("wrong").digest("hex").slice(0, 48)}`;

/** The maximum that is accepted from a caller without a key. */
const longQuery = Array.from({ length: 400 }, (_, index) => `&%C3%A4${index}=%20+%20`).join("");
const manyHeaders = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`x-${index}`, "v".repeat(110)]),
);

/**
 * `count` names that fill 65 kB with what surrounds each, other ones in each request: objects with
 * them have new hidden classes.
 */
const names = (count: number, around: number, serial: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    `${index.toString(36).padStart(3, "0")}${serial.toString(36).slice(-2)}`.padEnd(
      65_400 / count - around,
      "x",
    ),
  );
const objects = (count: number) => (serial: number) =>
  `{"a":[${names(count, '{"":1},'.length, serial).map((name) => `{"${name}":1}`)}],"@":"nope"}`;
const members = (count: number) => (serial: number) => {
  const data = names(count, '"":1,'.length, serial).map((name) => `"${name}":1`);
  return `{"@":"user.create","data":{${data}}}`;
};

export function ratios({ key, deep }: Filled): readonly Ratio[] {
  const headers = { "X-API-KEY": key, "X-PLATFORM": "web" };
  const info: Work = {
    name: "sysinfo",
    amount: 10_000,
    path: "/api/?@=sysinfo",
    status: 200,
    holds: '"127.0.0.1"',
  };
  const list: Work = {
    name: "user.list of 50",
    amount: 4_000,
    path: "/api/?@=user.list",
    headers,
    status: 200,
    holds: "nextCursor",
  };
  const create: Work = {
    name: "user.create",
    amount: 3_000,
    path: "/api/",
    headers,
    status: 201,
    holds: '"name":"Ada"',
    body: (serial) =>
      JSON.stringify({
        "@": "user.create",
        data: { name: "Ada", email: `${process.pid}.${serial}@example.com` },
      }),
  };
  const filtered = { ...list, name: "user.list of 50, filtered and ordered" };
  const beyond = `${list.path}&cursor=${encodeCursor("user.list", deep)}`;
  const deepList = { ...list, name: "user.list of 50, deep", path: beyond };
  const missing = { ...list, headers: {}, status: 401, holds: "credentials-missing" };
  const few: Work = { ...info, name: "sysinfo, 16 connections", connections: 16 };
  /** The work of the service, and of the other server or of the service with other work. */
  const ratio = (name: string, work: Work, by: Contender, limit: number | null): Ratio => ({
    name,
    contenders: [["service", work], by],
    limit,
  });
  const toInfo = (
    name: string,
    change: Partial<Work>,
    limit: number | null = 1,
    base = info,
  ): Ratio =>
    ratio(`${name} ÷ ${base.name}`, { ...info, ...change, name }, ["service", base], limit);
  const costly = (
    name: string,
    body: Required<Work>["body"],
    withKey: number,
    without: number,
  ): Ratio[] => {
    const work = { ...create, amount: 400, connections: 16, body, holds: '"code"' };
    return [
      toInfo(`costly: ${name}`, { ...work, status: withKey }, 15, few),
      toInfo(`costly: ${name}, no key`, { ...work, headers: {}, status: without }, 8, few),
    ];
  };
  return [
    ratio("sysinfo ÷ Fastify with the same features", info, ["fastify", info], 1),
    ratio("sysinfo ÷ bare Koa", info, ["koa", info], 1.4),
    ratio("sysinfo ÷ node:http", info, ["http", info], null),
    ratio("user.list of 50 ÷ Koa + Knex", list, ["knex", list], 0.65),
    {
      name: `${filtered.name} ÷ Koa + Knex`,
      contenders: [
        ["filtered", filtered],
        ["knex", { ...filtered, path: "/filtered/" }],
      ],
      limit: 0.8,
    },
    ratio("user.list of 50 ÷ the driver's statement", list, ["driver", list], 1.15),
    ratio("user.list of 50, deep ÷ first page", deepList, ["service", list], 1.2),
    // A transaction for each would be at 15.
    toInfo("user.create", create, 8),
    toInfo("401, a wrong key", {
      ...list,
      headers: { ...headers, "X-API-KEY": wrongKey },
      status: 401,
      holds: "credentials-invalid",
    }),
    toInfo("404, no such operation", {
      path: "/api/?@=nothing",
      status: 404,
      holds: "operation-not-found",
    }),
    toInfo("422, a wrong limit", {
      ...list,
      path: `${list.path}&limit=0`,
      status: 422,
      holds: '"errors"',
    }),
    toInfo("304", {
      path: "/api/?@=docs.get.README",
      headers: { "If-None-Match": "*" },
      status: 304,
      holds: "",
    }),
    toInfo("8 kB of parameters, no key", { ...missing, path: `${list.path}${longQuery}` }, 3),
    toInfo("8 kB of headers, no key", { ...missing, headers: manyHeaders }, 3),
    ...costly("65 kB of objects", objects(4_600), 400, 400),
    ...costly("65 kB in 1,024 parts, objects", objects(511), 404, 404),
    ...costly("6,000 unknown members", members(6_000), 400, 400),
    ...costly("65 kB in 1,024 parts, unknown members", members(1_022), 422, 401),
  ];
}
