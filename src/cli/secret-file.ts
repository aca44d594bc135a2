import { lstat, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hashKey } from "../keys/key.ts";
import { InputFault } from "../log/safe-error.ts";
import type { Keys } from "../storage/keys.ts";

/** Writes a file that only its owner can read, replacing an existing one: completely, or not at all. `fill` may write to it by its path. */
export async function writeSecretFile(
  file: string,
  text: string,
  fill?: (temporary: string) => Promise<void>,
): Promise<void> {
  const beside = `${file}.${process.pid}.new`;
  try {
    // A new file, since the mode counts only when a file is created.
    await rm(beside, { force: true });
    await writeFile(beside, text, { mode: 0o600, flag: "wx", flush: true });
    if (fill) {
      await fill(beside);
      const written = await open(beside);
      await written.sync().finally(() => written.close());
    }
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}

/** Keys in an overwritten file would stay valid although they are lost. Throws `InputFault`. */
export async function refuseOverwriting(file: string, force: boolean): Promise<void> {
  const there = await lstat(file).catch(() => null);
  if (!there) return;
  if (!there.isFile()) throw new InputFault(`${file} exists, and is not a file.`);
  if (!force)
    throw new InputFault(`${file} exists. To revoke the keys in it and write new ones: --force; or name another file.`);
}

/** Revokes the conformance keys that a file names; other keys, and a file that holds something else, are not touched. Returns how many. */
export async function revokeKeysIn(file: string, keys: Keys, at: Date): Promise<number> {
  let revoked = 0;
  const text = await readFile(file, "utf8").catch(() => "");
  for (const [key] of text.matchAll(/\batp_[0-9a-f]{48}\b/g)) {
    const record = await keys.findByHash(hashKey(key));
    if (record?.name.startsWith("conformance ") && (await keys.revoke(record.id, at))) revoked++;
  }
  return revoked;
}
