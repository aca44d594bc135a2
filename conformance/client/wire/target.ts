/** A deployment to check, by its base address. */
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

/** Reads `--url`; throws an Error with a message for the user if it cannot be a base address. */
export function parseTarget(text: string): Target {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(`--url ${text}: not an address`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error(`--url ${text}: must be http or https`);
  // Credentials come from the environment or a file; the address is in every report.
  if (url.username || url.password) throw new Error("--url: no user or password in the address");
  if (url.search || url.hash) throw new Error("--url: a base address has no query and no fragment");
  const tls = url.protocol === "https:";
  const prefix = url.pathname.replace(/\/+$/, "");
  return {
    url: `${url.origin}${prefix}`,
    origin: url.origin,
    host: url.host,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (tls ? 443 : 80) : Number(url.port),
    tls,
    prefix,
    loopback: LOOPBACK.test(url.hostname),
  };
}
