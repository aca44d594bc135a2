import { makeExactValidator, makeValidator, str } from "envalid";
import type { Contract } from "../contract.ts";

/** A whole number in decimal, within bounds. The message never repeats the value: it may be a secret put into the wrong variable. */
function wholeOf(text: string, least: number, most: number, alternative = ""): number {
  if (/^(0|[1-9][0-9]*)$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new Error(`must be ${alternative}a whole number from ${least} to ${most}`);
}
const whole = (least: number, most: number) => makeExactValidator<number>((text) => wholeOf(text, least, most));
const bytes = whole(1, 2 ** 30);
const count = whole(1, 1_000_000);
/** The longest time of a Node timer is 2^31 - 1 ms. */
const milliseconds = whole(1, 2 ** 31 - 1);

const port = whole(0, 65_535);
const portOrOff = makeExactValidator<number | "off">((text) =>
  text === "off" ? text : wholeOf(text, 0, 65_535, "off, or "),
);

function choice<const T extends string>(...allowed: readonly T[]) {
  return makeValidator<T>((text) => {
    const found = allowed.find((one) => one === text);
    if (!found) throw new Error(`must be one of ${allowed.join(", ")}`);
    return found;
  });
}

const listOf = (text: string) => text.split(",").map((item) => item.trim());

const names = makeExactValidator<readonly [string, ...string[]]>((text) => {
  const [first = "", ...others] = listOf(text);
  const all = [first, ...others];
  if (!all.every((name) => /^[A-Za-z0-9._-]{1,64}$/.test(name)) || new Set(all).size < all.length)
    throw new Error("must be different names of letters, digits, '.', '_' and '-', separated by commas");
  return [first, ...others];
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
      throw new Error("must be absolute http(s) URLs without white space, query or fragment, separated by commas");
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
  if (!/^rediss?:\/\/./.test(text) || !URL.canParse(text)) throw new Error("must be redis://USER:PASSWORD@HOST:PORT");
  return text;
});

const databaseUrl = makeExactValidator<string>((text) => {
  if (!/^sqlite:[^:]/.test(text) && !/^postgres(ql)?:\/\/./.test(text))
    throw new Error("must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  return text;
});

/** The service that the settings are of: two of its names, and the limits of its contract. */
export interface ServiceNames {
  /** In commands, files, metrics. */
  readonly name: string;
  readonly contract: Pick<Contract, "title" | "limits">;
}

/** Every environment variable, its default and its bounds. A test keeps `.env.example` the same. */
export const variablesOf = ({ name, contract: { limits } }: ServiceNames) => ({
  NODE_ENV: choice("development", "production", "test")({ default: "development" }),
  HOST: str({ default: "127.0.0.1" }),
  /** 0 takes a free port. */
  PORT: port({ default: 3000 }),
  /** Where `/livez`, `/readyz` and `/metrics` are: not for callers. */
  MANAGEMENT_HOST: str({ default: "127.0.0.1" }),
  /** `undefined`: 10,000 above PORT, or below it where that is no port; `off`: nowhere. 0 takes a free port. */
  MANAGEMENT_PORT: portOrOff({ default: undefined }),
  /** `undefined`: the address of this process (D32). */
  DEPLOYMENT_URLS: addresses({ default: undefined }),
  /** D17. The first is the default platform. */
  PLATFORMS: names({ default: ["web"] }),
  /** D22. */
  TRUST_PROXY_HOPS: whole(0, 32)({ default: 0 }),
  /** D15. */
  CORS_ORIGINS: origins({ default: "*" }),
  LOG_LEVEL: choice("trace", "debug", "info", "warn", "error", "fatal", "silent")({ default: "info" }),
  /** Log lines that are kept while standard output does not accept them; further lines are lost, and counted. */
  LOG_BUFFER_BYTES: bytes({ default: 1_048_576 }),
  /** How long the end waits for standard output to accept the rest. */
  LOG_FLUSH_TIMEOUT_MS: milliseconds({ default: 1000 }),
  /** What happens when a response breaks the contract: nothing, a line in the log, or a 500. */
  CHECK_ANSWERS: choice("off", "log", "throw")({ default: "log" }),

  DATABASE_URL: databaseUrl({ default: `sqlite:data/${name}.sqlite` }),
  /** Connections of one process. */
  DATABASE_POOL: count({ default: 10 }),
  /** To get a connection, and again for each statement. */
  DATABASE_TIMEOUT_MS: milliseconds({ default: 5000 }),
  /** To wait for another process that is migrating, and for each statement of a migration. */
  MIGRATION_TIMEOUT_MS: milliseconds({ default: 60_000 }),

  /** D13. */
  MAX_BODY_BYTES: bytes({ default: limits.bodyBytes }),
  MAX_URL_BYTES: bytes({ default: limits.targetBytes }),
  MAX_HEADER_BYTES: bytes({ default: limits.headBytes }),
  MAX_HEADER_FIELDS: count({ default: limits.headFields }),
  /** D7: levels of arrays and objects, the body itself being the first. */
  MAX_JSON_DEPTH: count({ default: limits.bodyDepth }),
  /** D7: `{`, `[` and `,` outside strings. */
  MAX_JSON_PARTS: count({ default: limits.bodyParts }),
  /** What Node's parser accepts for the URL and the headers together: above both limits, so that the service itself rejects. */
  PARSER_HEADER_BYTES: bytes({ default: 32_768 }),

  /** D14: requests that have arrived completely and are not answered. */
  MAX_IN_FLIGHT: count({ default: 1000 }),
  MAX_CONNECTIONS: count({ default: 5000 }),
  /** Of all bodies that are arriving, together. */
  MAX_ARRIVING_BYTES: bytes({ default: 67_108_864 }),
  /** Mean of a second, in two seconds in a row. */
  MAX_EVENT_LOOP_DELAY_MS: milliseconds({ default: 500 }),
  /** D13: for an operation to be carried out. */
  HANDLER_TIMEOUT_MS: milliseconds({ default: 10_000 }),

  HEADERS_TIMEOUT_MS: milliseconds({ default: 10_000 }),
  REQUEST_TIMEOUT_MS: milliseconds({ default: 30_000 }),
  /** How long a response may wait for its client to read any of it. */
  STALLED_TIMEOUT_MS: milliseconds({ default: 30_000 }),
  /** How often the three limits above are checked. */
  TIMEOUT_CHECK_MS: milliseconds({ default: 2000 }),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds({ default: 5000 }),
  /** How long a rejected upload is still read, so that its sender sees the response. */
  DRAIN_TIMEOUT_MS: milliseconds({ default: 1000 }),
  /** How long everything is still served after SIGTERM while `/readyz` returns 503, so that load balancers notice. */
  SHUTDOWN_DELAY_MS: whole(0, 2 ** 31 - 1)({ default: 0 }),
  /** How long kept connections may be used after SIGTERM, once each: as long as `Keep-Alive` announces for idle ones. */
  SHUTDOWN_GRACE_MS: milliseconds({ default: 5000 }),
  /** How long requests in flight may take after SIGTERM. */
  SHUTDOWN_TIMEOUT_MS: milliseconds({ default: 10_000 }),

  /** D19: a revocation takes effect within 5 s, so a key may be cached for less than that. 0 queries the database every time. */
  KEY_CACHE_MS: whole(0, 4000)({ default: 3000 }),
  KEY_CACHE_ENTRIES: count({ default: 10_000 }),
  /** D25. A Node timer waits no longer than 24 days, and expired ones are looked for at least as often as this. */
  IDEMPOTENCY_TTL_S: whole(1, 2_073_600)({ default: 86_400 }),

  /** D21. `undefined`: on in production, off elsewhere. */
  RATE_LIMITS: choice("on", "off")({ default: undefined }),
  RATE_LIMIT_WINDOW_S: whole(1, 86_400)({ default: 60 }),
  /** Calls of one key, and those of its commands (POST), in a window. */
  RATE_LIMIT_KEY: count({ default: 600 }),
  RATE_LIMIT_COMMANDS: count({ default: 60 }),
  /** Calls of public operations, and rejected credentials, from one address in a window. */
  RATE_LIMIT_ADDRESS: count({ default: 300 }),
  RATE_LIMIT_REFUSED: count({ default: 300 }),
  /** Keys or addresses that one process counts at a time, for each limit: about 0.5 KB each. Not those that Redis counts. */
  RATE_LIMIT_ENTRIES: count({ default: 20_000 }),
  /** `undefined`: each process counts alone. */
  REDIS_URL: redisUrl({ default: undefined }),
  /** To connect, and for each count; then this process counts alone. */
  REDIS_TIMEOUT_MS: milliseconds({ default: 250 }),

  /** The file of `/.well-known/security.txt` (D11); none: the path does not exist. */
  SECURITY_TXT: str({ default: "" }),
  /** D31. */
  DOCS_MAX_AGE_S: whole(0, 31_536_000)({ default: 300 }),
});
