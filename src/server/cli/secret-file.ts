import { open, rename, rm, writeFile } from "node:fs/promises";

/**
 * Writes a file that only its owner can read, replacing an existing one: completely, or not at all.
 * `fill` may write to it by its path.
 */
export async function writeSecretFile(
  file: string,
  text: string,
  fill?: (temporary: string) => Promise<void>,
) {
  const temporary = `${file}.${process.pid}.new`;
  try {
    // A new file, since the mode counts only when a file is created.
    await rm(temporary, { force: true });
    await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
    await fill?.(temporary);
    const written = await open(temporary);
    await written.sync().finally(() => written.close());
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}
