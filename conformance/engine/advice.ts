import type { Target } from "../client/wire/target.ts";

/** What Node says of a certificate whose issuer it does not know. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/;

/** A fault of the preflight, and what its reader may do about it. `entered`: sysinfo was there. */
export function advise(fault: string, { url, prefix }: Target, entered: boolean): string {
  if (UNTRUSTED.test(fault)) return `${fault}; NODE_EXTRA_CA_CERTS=FILE trusts the certificates in that file`;
  if (!entered && prefix.endsWith("/api"))
    return `${fault}; the base URL is the part before /api/: --url ${url.slice(0, -"/api".length)}`;
  return fault;
}
