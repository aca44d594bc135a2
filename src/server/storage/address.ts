import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { isIPv6 } from "node:net";
import { dirname, resolve } from "node:path";
import type { Client } from "pg";
import { ExpectedError } from "../expected-error.ts";
import { ENCODE_PASSWORD } from "../settings/database-url.ts";
import { DATA_FOLDER } from "../settings/variables.ts";
import { StorageUnavailable } from "./errors.ts";

/** The path of a `sqlite:PATH` address, or null for another kind. */
export function sqlitePath(url: string): string | null {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : null;
}

/**
 * The place that a URL names, without user and password: two URLs of the same place are one
 * database. A path, or part of a file name.
 */
export function databasePlace(url: string): string {
  const path = sqlitePath(url);
  if (path !== null) return existsSync(path) ? realpathSync(path) : resolve(path);
  const { host, port, database = "" } = parseAddress(url);
  // They may choose a schema.
  const options = new URL(url).searchParams.get("options") ?? "";
  const names = [host, port, database, options].filter((name) => name !== "");
  return names.map(encodeURIComponent).join("-");
}

/** The database that a URL names, as operators read it: without user, password and options. */
export function databaseName(url: string): string {
  if (sqlitePath(url) !== null) return `sqlite:${databasePlace(url)}`;
  const { host, port, database = "" } = parseAddress(url);
  const name = isIPv6(host) ? `[${host}]` : encodeURIComponent(host);
  return `postgres://${name}:${port}/${encodeURIComponent(database)}`;
}

/**
 * The folder on this machine for files that belong to a database: that of the SQLite file, or
 * `DATA_FOLDER`.
 */
export function databaseFolder(url: string): string {
  const path = sqlitePath(url);
  return path === null ? DATA_FOLDER : dirname(path);
}

const severalHosts =
  "DATABASE_URL names several hosts, and the driver connects to one: name the one that " +
  "accepts writes, or a proxy in front of them.";

/**
 * An address of PostgreSQL. `pg` parses it only when it connects, and then reports neither what is
 * wrong nor where. Throws `ExpectedError`.
 */
export function parseAddress(connectionString: string): Client {
  // Loaded where it is used, as Knex does: on SQLite nothing needs it.
  const pg: typeof import("pg") = createRequire(import.meta.url)("pg");
  let client: Client;
  try {
    client = new pg.Client({ connectionString });
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof URIError))
      throw new StorageUnavailable(cause);
    const noUrl = `DATABASE_URL is no URL: ${ENCODE_PASSWORD}.`;
    // Several hosts with ports, as libpq accepts them, and no password with a comma.
    const areSeveral = /^\w+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^@]*$/.test(connectionString);
    throw new ExpectedError(areSeveral ? severalHosts : noUrl, { cause });
  }
  // The path of a socket may have a comma.
  if (/^[^/].*,/.test(client.host)) throw new ExpectedError(severalHosts);
  return client;
}
