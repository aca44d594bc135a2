import { makeExactValidator, makeValidator, str } from "envalid";
import type { Contract } from "../contract.ts";
import { parameterFaults } from "./database-url.ts";

/** A whole number in decimal, within bounds. */
function wholeOf(text: string, least: number, most: number, alternative = ""): number {
  if (/^(0|[1-9][0-9]*)$/.test(text) && Number(text) >= least && Number(text) <= most)
    return Number(text);
  throw new Error(`must be ${alternative}a whole number from ${least} to ${most}`);
}
const whole = (least: number, most: number) =>
  makeExactValidator<number>((text) => wholeOf(text, least, most));
const bytes = whole(1, 2 ** 30);
const count = whole(1, 1_000_000);
const MAX_TIMER_MS = 2 ** 31 - 1;
const milliseconds = whole(1, MAX_TIMER_MS);

function choice<const T extends string>(...allowed: readonly T[]) {
  return makeValidator<T>((text) => {
    const value = allowed.find((one) => one === text);
    if (!value) throw new Error(`must be one of ${allowed.join(", ")}`);
    return value;
  });
}

const listOf = (text: string) => text.split(",").map((item) => item.trim());

const names = makeExactValidator<readonly [string, ...string[]]>((text) => {
  const [first = "", ...otherNames] = listOf(text);
  const all = [first, ...otherNames];
  if (!all.every((name) => /^[A-Za-z0-9._-]{1,64}$/.test(name)) || new Set(all).size < all.length)
    throw new Error(
      "must be different names of letters, digits, '.', '_' and '-', separated by commas",
    );
  return [first, ...otherNames];
});

function webAddress(text: string): URL | undefined {
  // A space is valid in a URL, and here it is a missing comma.
  const url = !/\s/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
}

const addresses = makeExactValidator<readonly string[]>((text) =>
  listOf(text).map((item) => {
    const url = webAddress(item);
    if (!url || /[?#]/.test(item))
      throw new Error(
        "must be absolute http(s) URLs without white space, query or fragment, separated by commas",
      );
    return url.href.replace(/\/+$/, "");
  }),
);

const origins = makeExactValidator<"*" | readonly string[]>((text) => {
  if (text === "*") return text;
  const list = listOf(text);
  if (!list.every((item) => webAddress(item)?.origin === item))
    throw new Error("must be * or origins such as https://app.example.com, separated by commas");
  return list;
});

const redisUrl = makeExactValidator<string>((text) => {
  if (/^rediss?:\/\/./.test(text) && URL.canParse(text)) return text;
  throw new Error("must be redis://USER:PASSWORD@HOST:PORT");
});

/** The folder of the default database, and of files that belong to a PostgreSQL database. */
export const DATA_FOLDER = "data";

const databaseUrl = makeExactValidator<string>((text) => {
  if (text.startsWith("sqlite://"))
    throw new Error("has // after sqlite: write sqlite:/absolute/path or sqlite:relative/path");
  if (!/^(sqlite:[^:]|postgres(ql)?:\/\/.)/.test(text))
    throw new Error("must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  const faults = parameterFaults(text);
  if (faults.length > 0) throw new Error(faults.join("; and "));
  return text;
});

/** Settings whose value may hold a password, so that no message shows it. */
const MAY_HOLD_SECRET = ["DATABASE_URL", "REDIS_URL", "DEPLOYMENT_URLS", "CORS_ORIGINS"];

/** A longer value may be a secret that was put into the wrong variable. */
const LONGEST_SHOWN = 40;

/** The invalid value of a setting as the end of a message, or nothing when it may be a secret. */
export const shownValue = (name: string, value = ""): string =>
  MAY_HOLD_SECRET.includes(name) || value.length > LONGEST_SHOWN
    ? ""
    : `, not ${JSON.stringify(value)}`;

/** The service that the settings are of: two of its names, and the limits of its contract. */
export interface ServiceNames {
  /** In commands, files, metrics. */
  readonly name: string;
  readonly contract: Pick<Contract, "title" | "limits">;
}

/** Settings of 3.x that are gone, and what holds instead. */
export const REMOVED: Readonly<Record<string, string>> = {
  CHECK_ANSWERS:
    "with NODE_ENV=test a response that breaks the contract is a 500, else it is logged",
  KEY_CACHE_MS: "an API key is cached for 3 s",
  MAX_HEADER_FIELDS: "the limit of the contract counts",
  PARSER_HEADER_BYTES: "it follows from MAX_URL_BYTES and MAX_HEADER_BYTES",
  TIMEOUT_CHECK_MS: "timeouts are checked every 2 s",
};

/**
 * Every environment variable, its default and its bounds. `.env.example` says what each means; a
 * test keeps it the same.
 */
export const variablesOf = ({ name, contract: { limits } }: ServiceNames) => ({
  NODE_ENV: choice("development", "production", "test")({ default: "development" }),
  HOST: str({ default: "127.0.0.1" }),
  PORT: whole(0, 65_535)({ default: 3000 }),
  MANAGEMENT_HOST: str({ default: "127.0.0.1" }),
  MANAGEMENT_PORT: makeExactValidator<number | "off">((text) =>
    text === "off" ? text : wholeOf(text, 0, 65_535, "off, or "),
  )({ default: undefined }),
  /** `undefined`: the address of this process (D32). */
  DEPLOYMENT_URLS: addresses({ default: undefined }),
  /** D17. The first is the default platform. */
  PLATFORMS: names({ default: ["web"] }),
  /** D22. */
  TRUST_PROXY_HOPS: whole(0, 32)({ default: 0 }),
  /** D15. */
  CORS_ORIGINS: origins({ default: "*" }),
  LOG_LEVEL: choice(
    "trace",
    "debug",
    "info",
    "warn",
    "error",
    "fatal",
    "silent",
  )({ default: "info" }),
  LOG_BUFFER_BYTES: bytes({ default: 1_048_576 }),
  LOG_FLUSH_TIMEOUT_MS: milliseconds({ default: 1000 }),

  DATABASE_URL: databaseUrl({ default: `sqlite:${DATA_FOLDER}/${name}.sqlite` }),
  DATABASE_POOL: count({ default: 10 }),
  DATABASE_TIMEOUT_MS: milliseconds({ default: 5000 }),
  MIGRATION_TIMEOUT_MS: milliseconds({ default: 60_000 }),

  /** D13; of JSON, D7. */
  MAX_BODY_BYTES: bytes({ default: limits.bodyBytes }),
  MAX_URL_BYTES: bytes({ default: limits.targetBytes }),
  MAX_HEADER_BYTES: bytes({ default: limits.headBytes }),
  MAX_JSON_DEPTH: count({ default: limits.bodyDepth }),
  MAX_JSON_PARTS: count({ default: limits.bodyParts }),

  /** D14. */
  MAX_IN_FLIGHT: count({ default: 1000 }),
  MAX_CONNECTIONS: count({ default: 5000 }),
  MAX_ARRIVING_BYTES: bytes({ default: 67_108_864 }),
  /** In two seconds in a row. */
  MAX_EVENT_LOOP_DELAY_MS: milliseconds({ default: 500 }),
  HANDLER_TIMEOUT_MS: milliseconds({ default: 10_000 }),

  HEADERS_TIMEOUT_MS: milliseconds({ default: 10_000 }),
  REQUEST_TIMEOUT_MS: milliseconds({ default: 30_000 }),
  STALLED_TIMEOUT_MS: milliseconds({ default: 30_000 }),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds({ default: 5000 }),
  DRAIN_TIMEOUT_MS: milliseconds({ default: 1000 }),
  SHUTDOWN_DELAY_MS: whole(0, MAX_TIMER_MS)({ default: 0 }),
  /** As long as `Keep-Alive` announces for idle connections. */
  SHUTDOWN_GRACE_MS: milliseconds({ default: 5000 }),
  SHUTDOWN_TIMEOUT_MS: milliseconds({ default: 10_000 }),

  KEY_CACHE_ENTRIES: count({ default: 10_000 }),
  /**
   * D25. A Node timer waits no longer than 24 days, and expired ones are looked for at least as
   * often as this.
   */
  IDEMPOTENCY_TTL_S: whole(1, 2_073_600)({ default: 86_400 }),

  /** D21. */
  RATE_LIMITS: choice("on", "off")({ default: undefined }),
  RATE_LIMIT_WINDOW_S: whole(1, 86_400)({ default: 60 }),
  RATE_LIMIT_KEY: count({ default: 600 }),
  RATE_LIMIT_COMMANDS: count({ default: 60 }),
  RATE_LIMIT_ADDRESS: count({ default: 300 }),
  RATE_LIMIT_REFUSED: count({ default: 300 }),
  /** About 0.5 KB each. Not those that Redis counts. */
  RATE_LIMIT_ENTRIES: count({ default: 20_000 }),
  REDIS_URL: redisUrl({ default: undefined }),
  REDIS_TIMEOUT_MS: milliseconds({ default: 250 }),

  /** D11. */
  SECURITY_TXT: str({ default: "" }),
  /** D31. */
  DOCS_MAX_AGE_S: whole(0, 31_536_000)({ default: 300 }),
});
