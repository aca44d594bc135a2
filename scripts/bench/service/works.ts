import { createHash } from "node:crypto";
import { encodeCursor } from "../../../src/operations/cursor.ts";
import { copyOf, type Filled } from "./database.ts";
import type { Work } from "./load.ts";
import type { Program } from "./server.ts";

/** The servers, ours first. */
export type Name = (typeof names)[number];
const peers = [
  "http",
  "koa",
  "koa-router",
  "fastify",
  "express-openapi-validator",
  "openapi-backend",
  "knex",
  "driver",
] as const;
const names = ["service", ...peers] as const;

/** As `npm start` runs it. */
export const serviceWith = (env: NonNullable<Program["env"]>): Program => ({
  name: "service",
  file: "dist/src/main.js",
  flags: ["--max-semi-space-size=4"],
  env: { MALLOC_ARENA_MAX: "2", ...env },
});

export function programs({ url }: Filled): readonly Program[] {
  return names.map((name) => {
    if (name === "service") return serviceWith({ DATABASE_URL: url });
    const stores = name === "knex" || name === "driver";
    return {
      name,
      file: `scripts/bench/service/peers/${name}.js`,
      ...(stores && { env: { DATABASE: copyOf(url, name) } }),
    };
  });
}

/** One row of the table: the same work for each server that supports it. */
export interface Row {
  readonly name: string;
  readonly amount: number;
  readonly contenders: Partial<Readonly<Record<Name, Work>>>;
}

const user = (serial: number) => ({
  name: "Ada Lovelace",
  email: `${process.pid}.${Date.now()}.${serial}@example.com`,
});
/** A key of the right form and checksum would be looked up; most wrong keys have only the form. */
const wrongKey = `atp_${createHash("sha256").update("wrong").digest("hex").slice(0, 48)}`;

/** The maximum that each accepts from a caller without a key. */
const longQuery = Array.from({ length: 400 }, (_, index) => `&%C3%A4${index}=%20+%20`).join("");
const manyHeaders = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, "v".repeat(110)]));
const longBody = JSON.stringify({ "@": "user.create", data: Array.from({ length: 6_000 }, () => [{ a: 1 }]) });

export function rows({ key, deep }: Filled, readmeTag: string): readonly Row[] {
  const headers = { "X-API-KEY": key, "X-PLATFORM": "web" };
  const info: Work = { path: "/api/?@=sysinfo", status: 200, holds: '"clientAddress":"127.0.0.1"' };
  const byPath = { ...info, path: "/api/sysinfo?@=sysinfo" };
  const list: Work = { path: "/api/?@=user.list", status: 200, holds: "nextCursor", headers };
  const body = (serial: number) => JSON.stringify({ "@": "user.create", data: user(serial) });
  const create: Work = { path: "/api/", method: "POST", headers, body, status: 201, holds: '"name":"Ada Lovelace"' };
  const health: Work = { path: "/api/?@=test.health", headers, status: 200, holds: '"pass"' };
  const document: Work = { path: "/api/?@=docs.get.README", status: 200, holds: '"content"' };
  return [
    {
      name: "sysinfo",
      amount: 10_000,
      contenders: {
        ...{ service: info, http: info, koa: info, "koa-router": info, fastify: info },
        ...{ "express-openapi-validator": byPath, "openapi-backend": byPath },
      },
    },
    { name: "test.health, credentials in headers", amount: 5_000, contenders: { service: health, driver: health } },
    {
      name: "test.health, credentials in the query",
      amount: 5_000,
      contenders: { service: { ...health, headers: {}, path: `${health.path}&X-API-KEY=${key}&X-PLATFORM=web` } },
    },
    { name: "user.list of 50", amount: 4_000, contenders: { service: list, knex: list, driver: list } },
    {
      name: "user.list of 50, deep",
      amount: 5_000,
      contenders: {
        service: { ...list, path: `${list.path}&cursor=${encodeCursor("user.list", deep)}` },
        knex: { ...list, path: `${list.path}&after=${deep}` },
      },
    },
    { name: "user.create", amount: 3_000, contenders: { service: create, knex: create } },
    {
      name: "401, a wrong key",
      amount: 5_000,
      contenders: {
        service: { ...list, headers: { ...headers, "X-API-KEY": wrongKey }, status: 401, holds: "credentials-invalid" },
      },
    },
    {
      name: "404, no such operation",
      amount: 5_000,
      contenders: { service: { ...info, path: "/api/?@=nothing", status: 404, holds: "operation-not-found" } },
    },
    {
      name: "422, a wrong limit",
      amount: 5_000,
      contenders: { service: { ...list, path: `${list.path}&limit=0`, status: 422, holds: '"errors"' } },
    },
    {
      name: "401, without a key, 8 kB of parameters",
      amount: 5_000,
      contenders: {
        service: { ...list, headers: {}, path: `${list.path}${longQuery}`, status: 401, holds: "credentials-missing" },
      },
    },
    {
      name: "401, without a key, 8 kB of headers",
      amount: 5_000,
      contenders: { service: { ...list, headers: manyHeaders, status: 401, holds: "credentials-missing" } },
    },
    {
      name: "401, without a key, 60 kB of JSON",
      amount: 3_000,
      contenders: {
        service: { ...create, headers: {}, body: () => longBody, status: 401, holds: "credentials-missing" },
      },
    },
    { name: "docs.get.README", amount: 5_000, contenders: { service: document } },
    {
      name: "docs.get.README, If-None-Match",
      amount: 5_000,
      contenders: { service: { ...document, headers: { "If-None-Match": readmeTag }, status: 304, holds: "" } },
    },
  ];
}
