import { existsSync, readFileSync, statSync } from "node:fs";
import { loadEnvFile } from "node:process";
import { parseEnv } from "node:util";
import leven, { closestMatch } from "leven";
import { ConfigError, parseVariables } from "./config.ts";
import { REMOVED, type ServiceNames, variablesOf } from "./variables.ts";

/**
 * What else a file `.env` may hold: variables of the suite and the tests, of `pg` and
 * OpenTelemetry, of Node.js and the system.
 */
const foreign = new RegExp(
  "^(API_KEY|PLATFORM|TEST_POSTGRES_URL|TEST_REDIS_URL|PG[A-Z]+|OTEL_[A-Z_]+|TZ|CI|" +
    "NODE_(OPTIONS|EXTRA_CA_CERTS|DEBUG|NO_WARNINGS))$",
);

/** Shorter names are too often near to a setting by chance. */
const LEAST_LETTERS = 4;

/** How many edits an unknown name in a file `.env` may be away from the setting it suggests. */
const MOST_EDITS = 4;
const LETTERS_PER_EDIT = 3;

/**
 * The variables of this process: those it was started with, then those of a file `.env` in the
 * working folder. Throws `ConfigError` when the file has an unknown name, which would leave the
 * intended setting at its default.
 */
export function environment(service: ServiceNames, file = ".env"): NodeJS.ProcessEnv {
  if (!existsSync(file)) return process.env;
  // A container engine creates a folder when the file to be mounted is missing.
  if (statSync(file).isDirectory()) throw new ConfigError([`${file} is a folder`]);
  const text = readFileSync(file, "utf8");
  const settings = Object.keys(variablesOf(service));
  const unknown = Object.keys(parseEnv(text)).filter(
    (name) => !settings.includes(name) && !Object.hasOwn(REMOVED, name) && !foreign.test(name),
  );
  const faults = unknown.flatMap((name) => {
    if (!/^\w+$/.test(name)) return [];
    const maxDistance = Math.min(MOST_EDITS, Math.floor(name.length / LETTERS_PER_EDIT));
    const closest = oneEditFrom(name, settings) ?? closestMatch(name, settings, { maxDistance });
    const guess = closest === undefined ? "" : ` (did you mean ${closest}?)`;
    return [
      `${name} in ${file} is not a setting of ${service.contract.title}${guess}; ` +
        ".env.example lists them all",
    ];
  });
  // Node silently reads such a line as part of the next name.
  const unread = [...text.matchAll(/^[ \t]*([A-Z][A-Z0-9_]*)[ \t]*(?::.*)?$/gm)];
  if (unknown.length > faults.length && unread.length === 0)
    faults.push(`a line of ${file} is not of the form NAME=value`);
  faults.unshift(...unread.map(([, name]) => `${name} in ${file} has no value: write ${name}=…`));
  loadEnvFile(file);
  if (faults.length > 0)
    throw new ConfigError([...faults, ...parseVariables(process.env, service).faults]);
  return process.env;
}

/**
 * A warning for each variable that is probably a misspelt setting. Unlike a file `.env`, the
 * environment also holds variables of other programs, so only a single wrong letter counts, or two
 * letters in the wrong order.
 */
export function misspeltSettings(
  service: ServiceNames,
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  const settings = Object.keys(variablesOf(service));
  return Object.keys(env).flatMap((name) => {
    if (name.length < LEAST_LETTERS || settings.includes(name) || foreign.test(name)) return [];
    const meant = oneEditFrom(name, settings);
    return meant === undefined ? [] : [`${name} is set and has no effect: did you mean ${meant}?`];
  });
}

const oneEditFrom = (name: string, settings: readonly string[]): string | undefined =>
  settings.find((setting) => isOneEdit(name, setting));

/** Whether two different names differ by one letter, or by two letters in the wrong order. */
function isOneEdit(name: string, setting: string): boolean {
  if (leven(name, setting, { maxDistance: 2 }) === 1) return true;
  const index = [...name].findIndex((letter, i) => letter !== setting[i]);
  const swapped = name.charAt(index + 1) + name.charAt(index);
  return name.slice(0, index) + swapped + name.slice(index + 2) === setting;
}

/** `npm`, `pnpm`, `yarn` or `bun`, which has started this process; empty if none did. */
export const packageManager = (): string => process.env.npm_config_user_agent?.split("/")[0] ?? "";
