import { rename, rm, writeFile } from "node:fs/promises";

/** Writes a file that only its owner can read, in the place of one that is there: whole, or not at all. */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.new`;
  try {
    // Anew, since the mode counts only for a new file.
    await rm(beside, { force: true });
    await writeFile(beside, text, { mode: 0o600, flag: "wx", flush: true });
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}
