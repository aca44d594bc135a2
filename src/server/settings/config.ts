import { isIPv4 } from "node:net";
import { cleanEnv } from "envalid";
import { ExpectedError } from "../expected-error.ts";
import { REMOVED, type ServiceNames, shownValue, variablesOf } from "./variables.ts";

/** The settings of one process, under the names of their variables in `variables.ts`. */
export type Config = ReturnType<typeof readConfig>;

/** What opens a database. */
export type DatabaseConfig = Pick<
  Config,
  | "name"
  | "title"
  | "DATABASE_URL"
  | "DATABASE_POOL"
  | "DATABASE_TIMEOUT_MS"
  | "MIGRATION_TIMEOUT_MS"
>;

/** Lists every invalid variable, one a line. */
export class ConfigError extends ExpectedError {
  override readonly name = "ConfigError";
  constructor(readonly faults: readonly string[]) {
    super(["The configuration is not valid:", ...faults].join("\n  "));
  }
}

/** Whitespace at the ends of a value is removed, and an empty variable counts as unset. */
export function parseVariables(env: NodeJS.ProcessEnv, service: ServiceNames) {
  const variables = variablesOf(service);
  // Secrets that were written with `echo` end in a newline.
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const);
  const set: NodeJS.ProcessEnv = Object.fromEntries(trimmed.filter(([, value]) => value !== ""));
  const faults: string[] = [];
  for (const [name, instead] of Object.entries(REMOVED))
    if (set[name] !== undefined) faults.push(`${name} was removed in 4.0: ${instead}`);
  for (const name of Object.keys(variables)) {
    if (!/\p{Cc}/u.test(set[name] ?? "")) continue;
    faults.push(`${name} must not contain a control character, such as a line break or a tab`);
    delete set[name];
  }
  const values = cleanEnv(set, variables, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors))
        faults.push(`${name} ${error.message}${shownValue(name, set[name])}`);
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
  return { set, values, faults };
}

/**
 * How traces are sent, or null when none are. These variables belong to OpenTelemetry, whose
 * packages read all others of them; values that they do not support are rejected here.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
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

/** Throws `ConfigError`. What depends on other variables has its default here. */
export function readConfig(env: NodeJS.ProcessEnv, service: ServiceNames) {
  const { set, values, faults } = parseVariables(env, service);
  const tracing = parseTracing(set, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  const { PORT, NODE_ENV } = values;
  const production = NODE_ENV === "production";
  // It differs where the ports of replicas on one machine differ.
  const managementPort = PORT === 0 ? 0 : PORT <= 55_535 ? PORT + 10_000 : PORT - 10_000;
  return {
    ...values,
    name: service.name,
    title: service.contract.title,
    production,
    MANAGEMENT_PORT: values.MANAGEMENT_PORT ?? managementPort,
    RATE_LIMITS: values.RATE_LIMITS ?? (production ? ("on" as const) : ("off" as const)),
    /** What happens to a response of ours that breaks the contract. */
    checkResponses: NODE_ENV === "test" ? ("throw" as const) : ("log" as const),
    maxHeaderFields: service.contract.limits.headFields,
    tracing,
  };
}

/** Whether other machines may reach a process that listens there. */
export const isPublicHost = (host: string): boolean =>
  host !== "localhost" && host !== "::1" && !(isIPv4(host) && host.startsWith("127."));

/** The address at which a process on `host` and `port` is reached from the same machine. */
export function localUrl(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
