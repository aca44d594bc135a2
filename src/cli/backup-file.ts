import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { InputFault, SafeError } from "../log/safe-error.ts";
import type { BackupPart } from "../storage/dump.ts";
import { failureText } from "./failure.ts";

/** Writes a backup as compressed lines of JSON to a new file that only its owner can read: completely, or not at all. */
export async function writeBackup(file: string, parts: AsyncIterable<BackupPart>): Promise<void> {
  if (existsSync(file)) throw new InputFault(`${file} exists: name another file.`);
  const beside = `${file}.${process.pid}.new`;
  async function* lines() {
    for await (const part of parts) yield `${JSON.stringify(part)}\n`;
  }
  try {
    const out = createWriteStream(beside, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(Readable.from(lines()), createGzip(), out);
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}

/** The parts of such a file. Throws `InputFault` for any other file. */
export async function* readBackup(file: string): AsyncGenerator<unknown> {
  const source = createReadStream(file);
  const text = createGunzip().setEncoding("utf8");
  // An error of one stream is thrown where the other is read.
  const piped = pipeline(source, text).catch((error: unknown) =>
    text.destroy(error instanceof Error ? error : undefined),
  );
  let rest = "";
  try {
    for await (const chunk of text) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line);
    }
    if (rest !== "") throw new SyntaxError("a line without an end");
  } catch (error) {
    if (error instanceof SyntaxError || isOfZlib(error)) throw new InputFault(`${file} is no whole backup.`);
    // Where it is read, it would look like a failure of the database.
    throw new SafeError(failureText(error), { cause: error });
  } finally {
    source.destroy();
    await piped;
  }
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
