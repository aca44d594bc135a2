/** A deployment, by its base address. */
export interface Target {
  /** As given, without a trailing slash. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The value of `Host`. */
  readonly host: string;
  readonly hostname: string;
  readonly port: number;
  readonly tls: boolean;
  /** The path prefix without a trailing slash; empty for none. */
  readonly prefix: string;
  readonly loopback: boolean;
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Reads `--url`; throws an `Error` with a message for the user if it cannot be a base address. */
export function parseTarget(text: string): Target {
  // `localhost:3000` would be an address with the scheme `localhost`.
  const lacksScheme = !/^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const address = lacksScheme ? `http://${text}` : text;
  if (!URL.canParse(address)) throw new Error(`--url ${text}: not an address`);
  const { protocol, username, password, search, hash, pathname, origin, host, hostname, port } =
    new URL(address);
  const loopback = LOOPBACK.test(hostname);
  // Credentials come from the environment or a file; the address is in every report.
  if (username || password) throw new Error("--url: no user or password in the address");
  if (search || hash) throw new Error("--url: a base address has no query and no fragment");
  if (lacksScheme)
    throw new Error(
      `--url ${text}: the scheme is missing; write "${loopback ? address : `https://${text}`}"`,
    );
  if (protocol !== "http:" && protocol !== "https:")
    throw new Error(`--url ${text}: must be http or https`);
  const tls = protocol === "https:";
  const prefix = pathname.replace(/\/+$/, "");
  return {
    url: origin + prefix,
    origin,
    host,
    tls,
    prefix,
    loopback,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (tls ? 443 : 80) : Number(port),
  };
}

/**
 * The variable that names a proxy for this target, which is not supported; undefined without one.
 */
export function proxyIn(env: NodeJS.ProcessEnv, { tls, loopback }: Target): string | undefined {
  const names = [tls ? "HTTPS_PROXY" : "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [
    name,
    name.toLowerCase(),
  ]);
  return loopback ? undefined : names.find((name) => env[name]);
}

/** Whether a proxy is in front: the service itself knows neither TLS nor a prefix. */
export const isProxied = ({ tls, prefix }: Target): boolean => tls || prefix !== "";
