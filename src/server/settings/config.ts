import { cleanEnv } from "envalid";
import { SafeError } from "../safe-error.ts";
import { type ServiceNames, variablesOf } from "./variables.ts";

/** The settings of one process, named after their variables in `variables.ts`, which has defaults, bounds and meanings. */
export type Config = ReturnType<typeof readConfig>;

/** Lists every invalid variable, one a line, without repeating its value. */
export class ConfigError extends SafeError {
  override readonly name = "ConfigError";
  constructor(faults: readonly string[]) {
    super(["The configuration is not valid:", ...faults].join("\n  "));
  }
}

export function parseVariables(env: NodeJS.ProcessEnv, service: ServiceNames) {
  const variables = variablesOf(service);
  // Secrets that were written with `echo` end in a newline.
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const);
  const set: NodeJS.ProcessEnv = Object.fromEntries(trimmed.filter(([, value]) => value !== ""));
  const faults: string[] = [];
  for (const name of Object.keys(variables)) {
    if (!/\p{Cc}/u.test(set[name] ?? "")) continue;
    faults.push(`${name} must not contain a control character, such as a line break or a tab`);
    delete set[name];
  }
  const values = cleanEnv(set, variables, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) faults.push(`${name} ${error.message}`);
    },
  });
  // An invalid value cannot be compared with another: there is none.
  if (faults.length > 0) return { set, values, faults };
  if (values.PORT !== 0 && values.MANAGEMENT_PORT === values.PORT)
    faults.push("MANAGEMENT_PORT must differ from PORT");
  if (values.HEADERS_TIMEOUT_MS > values.REQUEST_TIMEOUT_MS)
    faults.push("HEADERS_TIMEOUT_MS must not be above REQUEST_TIMEOUT_MS");
  if (values.SHUTDOWN_DELAY_MS + values.SHUTDOWN_GRACE_MS >= values.SHUTDOWN_TIMEOUT_MS)
    faults.push(
      "SHUTDOWN_DELAY_MS and SHUTDOWN_GRACE_MS together must be below SHUTDOWN_TIMEOUT_MS",
    );
  if (values.PARSER_HEADER_BYTES < values.MAX_URL_BYTES + values.MAX_HEADER_BYTES)
    faults.push("PARSER_HEADER_BYTES must be at least MAX_URL_BYTES and MAX_HEADER_BYTES together");
  return { set, values, faults };
}

/**
 * How traces are sent, or null when none are. These variables belong to OpenTelemetry, whose packages read all others of them; values
 * that they do not support are rejected here. https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
function parseTracing(
  env: NodeJS.ProcessEnv,
  faults: string[],
): "http/protobuf" | "http/json" | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = env.OTEL_TRACES_EXPORTER || (endpoint ? "otlp" : "none");
  if (exporter === "none" || env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return null;
  // The packages would silently send to localhost instead.
  if (endpoint && !(URL.canParse(endpoint) && /^https?:/i.test(endpoint)))
    faults.push("OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL");
  if (exporter !== "otlp") faults.push("OTEL_TRACES_EXPORTER must be otlp or none");
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || "http/protobuf";
  if (protocol === "http/protobuf" || protocol === "http/json") return protocol;
  faults.push("OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json");
  return null;
}

/** Reads the settings, without white space at the ends of a value. An empty variable counts as unset. Throws `ConfigError`. */
export function readConfig(env: NodeJS.ProcessEnv, service: ServiceNames) {
  const { name, contract } = service;
  const { set, values, faults } = parseVariables(env, service);
  const tracing = parseTracing(set, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  const { PORT, NODE_ENV } = values;
  // It differs where the ports of replicas on one machine differ.
  const managementPort = PORT === 0 ? 0 : PORT <= 55_535 ? PORT + 10_000 : PORT - 10_000;
  return {
    name,
    nodeEnv: NODE_ENV,
    production: NODE_ENV === "production",
    host: values.HOST,
    port: PORT,
    management: { host: values.MANAGEMENT_HOST, port: values.MANAGEMENT_PORT ?? managementPort },
    deploymentUrls: values.DEPLOYMENT_URLS,
    platforms: values.PLATFORMS,
    trustProxyHops: values.TRUST_PROXY_HOPS,
    corsOrigins: values.CORS_ORIGINS,
    logLevel: values.LOG_LEVEL,
    logBufferBytes: values.LOG_BUFFER_BYTES,
    logFlushTimeoutMs: values.LOG_FLUSH_TIMEOUT_MS,
    checkAnswers: values.CHECK_ANSWERS,
    database: {
      service: { name, title: contract.title },
      url: values.DATABASE_URL,
      pool: values.DATABASE_POOL,
      timeoutMs: values.DATABASE_TIMEOUT_MS,
      migrationTimeoutMs: values.MIGRATION_TIMEOUT_MS,
    },
    limits: {
      maxBodyBytes: values.MAX_BODY_BYTES,
      maxUrlBytes: values.MAX_URL_BYTES,
      maxHeaderBytes: values.MAX_HEADER_BYTES,
      maxHeaderFields: values.MAX_HEADER_FIELDS,
      maxJsonDepth: values.MAX_JSON_DEPTH,
      maxJsonParts: values.MAX_JSON_PARTS,
      parserHeaderBytes: values.PARSER_HEADER_BYTES,
      maxInFlight: values.MAX_IN_FLIGHT,
      maxArrivingBytes: values.MAX_ARRIVING_BYTES,
      maxConnections: values.MAX_CONNECTIONS,
      maxEventLoopDelayMs: values.MAX_EVENT_LOOP_DELAY_MS,
    },
    timeouts: {
      headersTimeoutMs: values.HEADERS_TIMEOUT_MS,
      requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
      stalledTimeoutMs: values.STALLED_TIMEOUT_MS,
      timeoutCheckMs: values.TIMEOUT_CHECK_MS,
      keepAliveTimeoutMs: values.KEEP_ALIVE_TIMEOUT_MS,
      drainTimeoutMs: values.DRAIN_TIMEOUT_MS,
      handlerTimeoutMs: values.HANDLER_TIMEOUT_MS,
      shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
      shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
      shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_MS,
    },
    keyCacheMs: values.KEY_CACHE_MS,
    keyCacheEntries: values.KEY_CACHE_ENTRIES,
    idempotencyTtlMs: values.IDEMPOTENCY_TTL_S * 1000,
    rateLimits: {
      keyspace: name,
      on: (values.RATE_LIMITS ?? (NODE_ENV === "production" ? "on" : "off")) === "on",
      windowS: values.RATE_LIMIT_WINDOW_S,
      perKey: values.RATE_LIMIT_KEY,
      commandsPerKey: values.RATE_LIMIT_COMMANDS,
      perAddress: values.RATE_LIMIT_ADDRESS,
      refusedPerAddress: values.RATE_LIMIT_REFUSED,
      entries: values.RATE_LIMIT_ENTRIES,
      redisUrl: values.REDIS_URL,
      redisTimeoutMs: values.REDIS_TIMEOUT_MS,
    },
    tracing,
    securityTxt: values.SECURITY_TXT,
    docsMaxAgeS: values.DOCS_MAX_AGE_S,
  };
}

/** The address at which a process that listens on `host` and `port` is reached from the same machine. */
export function ownUrl(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
