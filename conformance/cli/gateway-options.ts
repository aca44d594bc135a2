import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type Certificate, type Gateway, secretName } from "../client/gateway.ts";
import { contract } from "../contract.ts";
import type { CliOptions } from "./options.ts";
import { UsageError } from "./usage.ts";

const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([!-~](?:[ -~]*[!-~])?)$/;

/** Standard HTTP and CORS header fields, which the contract need not name. */
const OF_HTTP =
  /^(?:(?:accept|access-control|content|if|x-forwarded)-.*|connection|date|forwarded|keep-alive|origin|range|te|trailer|transfer-encoding|upgrade)$/i;
/** The contract names it once, to state that it holds no key. */
const UNUSED = /^authorization$/i;
const { clauses, requirements } = contract;
const texts = [...clauses.map(({ decision }) => decision), ...requirements.map(({ sentence }) => sentence)]
  .join("\n")
  .toLowerCase();

/** Whether the contract defines a field: a fixed value in every request would change what checks send. */
const isOfContract = (name: string): boolean =>
  OF_HTTP.test(name) ||
  (!UNUSED.test(name) && ["`", ":"].some((end) => texts.includes(`\`${name.toLowerCase()}${end}`)));

function readField(text: string): readonly [name: string, value: string] {
  const [, name = "", value = ""] = FIELD.exec(text) ?? [];
  // Never the text itself: it may hold a secret.
  if (name === "") throw new UsageError("--header: must be 'Name: value', in printable ASCII");
  if (isOfContract(name))
    throw new UsageError(`--header ${name}: the contract uses this field; --header is for what a gateway wants`);
  return [name, value];
}

function readCertificate({ url, clientCert, clientKey }: CliOptions): Certificate | null {
  if (clientCert === undefined && clientKey === undefined) return null;
  if (clientCert === undefined || clientKey === undefined)
    throw new UsageError("--client-cert and --client-key: one needs the other");
  if (!url.every((one) => /^https:/i.test(one))) throw new UsageError("--client-cert: only for https");
  try {
    const [cert, key] = [readFileSync(clientCert), readFileSync(clientKey)];
    createSecureContext({ cert, key });
    return { cert, key, files: [clientCert, clientKey] };
  } catch (error) {
    // node:fs and OpenSSL throw Errors only; their messages quote no file.
    throw new UsageError(`--client-cert ${clientCert} --client-key ${clientKey}: ${(error as Error).message}`);
  }
}

/** The values of `--header`, `--client-cert` and `--client-key`, used for every request; throws a `UsageError`. */
export const gatewayOf = (options: CliOptions): Gateway => ({
  headers: options.header.map(readField),
  certificate: readCertificate(options),
});

/** An argument of the command line as reports show it: a header value is replaced with the name of a shell variable. */
export function masked(word: string, { headers }: Gateway): string {
  const field = headers.find(([name, value]) => word.includes(`${name}:`) && word.includes(value));
  return field ? word.replace(field[1], () => `$${secretName(field[0])}`) : word;
}
