import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { isIPv6 } from "node:net";
import { dirname, resolve } from "node:path";
import type { Client } from "pg";
import { SafeError } from "../safe-error.ts";
import { unavailable } from "./errors.ts";

/** The path of a `sqlite:PATH` address, or null for another kind. */
export function sqlitePath(url: string): string | null {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : null;
}

/** The place that a URL names, without user and password: two URLs of the same place are one database. A path, or part of a file name. */
export function databasePlace(url: string): string {
  const path = sqlitePath(url);
  if (path !== null) return existsSync(path) ? realpathSync(path) : resolve(path);
  const { host, port, database = "" } = parseAddress(url);
  // They may choose a schema.
  const options = new URL(url).searchParams.get("options") ?? "";
  const parts = [host, port, database, options].filter((part) => part !== "");
  return parts.map(encodeURIComponent).join("-");
}

/** The database that a URL names, as operators read it: without user, password and options. */
export function databaseName(url: string): string {
  if (sqlitePath(url) !== null) return `sqlite:${databasePlace(url)}`;
  const { host, port, database = "" } = parseAddress(url);
  return `postgres://${isIPv6(host) ? `[${host}]` : encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`;
}

/** The folder on this machine for files that belong to a database: that of the SQLite file, or `data`. */
export function databaseFolder(url: string): string {
  const path = sqlitePath(url);
  return path === null ? "data" : dirname(path);
}

const severalHosts =
  "DATABASE_URL names several hosts, and the driver connects to one: name the one that accepts writes, or a proxy in front of them.";

/** An address of PostgreSQL. `pg` parses it only when it connects, and then reports neither what is wrong nor where. Throws `SafeError`. */
export function parseAddress(connectionString: string): Client {
  // Loaded where it is used, as Knex does: on SQLite nothing needs it.
  const pg: typeof import("pg") = createRequire(import.meta.url)("pg");
  let client: Client;
  try {
    client = new pg.Client({ connectionString });
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof URIError)) throw unavailable(cause);
    const noUrl = "DATABASE_URL is no URL: in a password, @ : / ? # % have to be percent-encoded.";
    // Several hosts with ports, as libpq accepts them, and no password with a comma.
    const areSeveral = /^\w+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^@]*$/.test(connectionString);
    throw new SafeError(areSeveral ? severalHosts : noUrl, { cause });
  }
  // The path of a socket may have a comma.
  if (/^[^/].*,/.test(client.host)) throw new SafeError(severalHosts);
  return client;
}
