import { rm, writeFile } from "node:fs/promises";

/** Writes a file that only its owner can read: anew, since the mode counts only for a new file. */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: "wx" });
}
