import { validate as isUuid } from "uuid";
import { scopes } from "../../generated/operations.ts";
import { dayMs } from "../keys/create-key.ts";
import { InputFault } from "../log/safe-error.ts";

/** A comma-separated list, each item one of `allowed`. Throws `InputFault`, which lists the allowed items. */
function some(what: string, text: string, allowed: readonly string[]): string[] {
  const items = [...new Set(text.split(",").map((item) => item.trim()))];
  for (const item of items)
    if (!allowed.includes(item)) throw new InputFault(`Unknown ${what} "${item}"; there are: ${allowed.join(", ")}.`);
  return items;
}

export const scopeList = (text: string): string[] => some("scope", text, scopes);

export const platformList = (text: string, configured: readonly string[]): string[] =>
  some("platform", text, configured);

const units: Readonly<Record<string, number>> = { d: dayMs, h: 3_600_000, m: 60_000 };

/** `365d`, `12h` or `30m` in milliseconds. Throws `InputFault`. */
export function duration(text: string): number {
  const [, amount, unit = ""] = /^([1-9][0-9]{0,4})([dhm])$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (units[unit] ?? Number.NaN);
  if (Number.isNaN(milliseconds)) throw new InputFault(`"${text}" is not a duration: write 365d, 12h or 30m.`);
  return milliseconds;
}

/** The name of a key, for people. Throws `InputFault`. */
export function keyName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > 200 || /\p{Cc}/u.test(name))
    throw new InputFault("A key needs a name of 1 to 200 characters, none of them a control character.");
  return name;
}

/** The id of a key. Throws `InputFault`. */
export function keyId(text: string): string {
  if (!isUuid(text)) throw new InputFault(`"${text}" is not the id of a key; \`keys list\` shows the ids.`);
  return text.toLowerCase();
}
