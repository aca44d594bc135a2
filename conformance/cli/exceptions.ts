import { isObject } from "../oracle/schema.ts";
import type { Exception } from "../run/options.ts";
import { isText, readEntries } from "./usage.ts";

/** Reads `--exceptions`, a JSON array of `{pointer, reason}`. Throws an `Error` with a message for the user. */
export const readExceptions = (file: string): readonly Exception[] =>
  readEntries("--exceptions", file, (entry, place) => {
    const { pointer, reason } = isObject(entry) ? entry : {};
    if (!isText(pointer) || !isText(reason)) throw new Error(`${place} needs pointer, reason`);
    return { pointer, reason };
  });
