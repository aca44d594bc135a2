import { isIP } from "node:net";

/**
 * The address of the client (D22). `forwardedFor` holds all `X-Forwarded-For` fields joined by a comma. Each of the
 * `trustedHops` proxies wrote the address it saw at the right end, so exactly that many entries are believed, as far
 * as they go and are addresses; the caller can write anything it likes further left.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const believed = trustedHops > 0 ? (forwardedFor?.split(",").slice(-trustedHops).reverse() ?? []) : [];
  let address = socketAddress === undefined ? "unknown" : shorten(socketAddress);
  for (const entry of believed) {
    const next = shorten(withoutPort(entry.trim()));
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** `[2001:db8::1]:443` and `192.0.2.1:443`, as some proxies write them. */
function withoutPort(entry: string): string {
  return entry.replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2");
}

/** An IPv4 address that reached a socket open to both families. */
function shorten(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, "");
}
