import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Gateway } from "../http/gateway.ts";
import type { Contract } from "../oracle/contract.ts";
import { CREDENTIALS } from "../oracle/parsed-request.ts";
import { headerSecret } from "../secrets/redact.ts";
import type { CliOptions } from "./options.ts";
import { reading, UsageError } from "./usage.ts";

const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([!-~](?:[ -~]*[!-~])?)$/;

/** Standard HTTP and CORS header fields, which the contract need not name. */
const OF_HTTP = new RegExp(
  "^(?:(?:accept|access-control|content|if|x-forwarded)-.*|" +
    "connection|date|forwarded|keep-alive|origin|range|te|trailer|transfer-encoding|upgrade)$",
  "i",
);
/** What every service reads: the contract of an older release has no list. */
const OF_PROTOCOL = [...CREDENTIALS, "Host", "Expect", "X-Request-Id"];

/**
 * Whether the service reads a field: a fixed value in every request would change what is sent for
 * it.
 */
function isOfContract({ requestHeaders = [], operations }: Contract, name: string): boolean {
  const declared = Object.values(operations).flatMap(({ headers }) =>
    headers.map((one) => one.name),
  );
  const names = [...OF_PROTOCOL, ...requestHeaders, ...declared].map((one) => one.toLowerCase());
  return OF_HTTP.test(name) || names.includes(name.toLowerCase());
}

function readField(contract: Contract, text: string): readonly [name: string, value: string] {
  const [, name = "", value = ""] = FIELD.exec(text) ?? [];
  // Never the text itself: it may hold a secret.
  if (name === "") throw new UsageError("--header: must be 'Name: value', in printable ASCII");
  if (isOfContract(contract, name))
    throw new UsageError(
      `--header ${name}: the contract uses this field; --header is for what a gateway wants`,
    );
  return [name, value];
}

function readCertificate({ url, clientCert, clientKey }: CliOptions): Gateway["certificate"] {
  if (clientCert === undefined && clientKey === undefined) return null;
  if (clientCert === undefined || clientKey === undefined)
    throw new UsageError("--client-cert and --client-key: one needs the other");
  if (!url.every((one) => /^https:/i.test(one)))
    throw new UsageError("--client-cert: only for https");
  const cert = reading(() => readFileSync(clientCert), `--client-cert ${clientCert}: `);
  const key = reading(() => readFileSync(clientKey), `--client-key ${clientKey}: `);
  // The messages of OpenSSL quote no file.
  reading(
    () => createSecureContext({ cert, key }),
    `--client-cert ${clientCert} --client-key ${clientKey}: `,
  );
  return { cert, key, files: [clientCert, clientKey] };
}

/**
 * The values of `--header`, `--client-cert` and `--client-key`, used for every request; throws a
 * `UsageError`.
 */
export const gatewayOf = (options: CliOptions, contract: Contract): Gateway => ({
  fields: options.header.map((text) => readField(contract, text)),
  certificate: readCertificate(options),
});

/**
 * An argument of the command line as reports show it: a header value is replaced with the name of a
 * shell variable.
 */
export function masked(word: string, { fields }: Gateway): string {
  const field = fields.find(([name, value]) => word.includes(`${name}:`) && word.includes(value));
  return field ? word.replace(field[1], () => `$${headerSecret(field[0])}`) : word;
}
