import { isObject } from "../oracle/schema.ts";
import type { Exception } from "../run/options.ts";
import { messageOf, parseJsonFile } from "./usage.ts";

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Reads `--exceptions`, a JSON array of `{pointer, reason}`. Throws an `Error` with a message for the user. */
export function readExceptions(file: string): readonly Exception[] {
  const fault = (message: string) => new Error(`--exceptions ${file}: ${message}`);
  let json: unknown;
  try {
    json = parseJsonFile(file);
  } catch (error) {
    throw fault(messageOf(error));
  }
  if (!Array.isArray(json)) throw fault("must be a JSON array");
  return json.map((entry: unknown, index) => {
    const { pointer, reason } = isObject(entry) ? entry : {};
    if (!isText(pointer) || !isText(reason)) throw fault(`entry ${index} needs pointer, reason`);
    return { pointer, reason };
  });
}
