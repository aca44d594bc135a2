import type { Contract } from "../oracle/contract.ts";
import { isObject } from "../oracle/schema.ts";
import { kindsOf } from "../requests/credentials.ts";
import {
  type Credential,
  type Credentials,
  DEFAULT_PLATFORM,
  NO_CREDENTIALS,
} from "../secrets/credentials.ts";
import { parseJsonFile, reading } from "./usage.ts";

/** The characters that a header value can have. HTTP strips blanks around it. */
const isValue = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);

/** By kind; null: the service cannot issue it. */
function parseFile(file: string, known: readonly string[]): ReadonlyMap<string, Credential | null> {
  const json = reading(() => parseJsonFile(file), `--credentials ${file}: `);
  if (!isObject(json)) throw new Error(`--credentials ${file}: must be a JSON object`);
  const credentials = new Map<string, Credential | null>();
  for (const [name, value] of Object.entries(json)) {
    if (!known.includes(name))
      throw new Error(`--credentials ${file}: unknown member ${name}; known: ${known.join(", ")}`);
    const { key, platform = DEFAULT_PLATFORM } = isObject(value) ? value : {};
    if (value === null && name !== "full") {
      credentials.set(name, null);
      continue;
    }
    if (!isValue(key) || !isValue(platform))
      throw new Error(
        `--credentials ${file}: ${name} must be {"key": "…", "platform": "…"}, in printable ASCII`,
      );
    credentials.set(name, { key, platform });
  }
  return credentials;
}

/**
 * Reads the `--credentials` file if there is one, otherwise API_KEY and PLATFORM. Returns null if
 * there is no key. Throws an Error with a message for the user if the file is invalid.
 */
export function readCredentials(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
  contract: Contract,
): Credentials | null {
  const all = file === undefined ? [] : [...parseFile(file, ["full", ...kindsOf(contract)])];
  const unissued = all.flatMap(([kind, credential]) => (credential ? [] : kind));
  const { full: fromFile, ...special } = Object.fromEntries(
    all.flatMap(([kind, credential]) => (credential ? [[kind, credential] as const] : [])),
  );
  const fromEnv = env.API_KEY
    ? { key: env.API_KEY, platform: env.PLATFORM || DEFAULT_PLATFORM }
    : null;
  const full = fromFile ?? fromEnv;
  if (full && !(isValue(full.key) && isValue(full.platform)))
    throw new Error("API_KEY and PLATFORM must be printable ASCII, without blanks around");
  if (full) return { full, special, unissued };
  return all.length > 0 ? { ...NO_CREDENTIALS, special, unissued } : null;
}
