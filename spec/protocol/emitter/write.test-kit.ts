import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { transform } from "esbuild";
import type { Contract } from "../../../src/server/contract.ts";
import { generate } from "./emit.ts";

/** Writes files, by their paths below a folder. */
export async function write(files: ReadonlyMap<string, string>, folder: string): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The contract among generated files. */
export async function contractIn(files: ReadonlyMap<string, string>): Promise<Contract> {
  const load = async (name: string, validators = "") => {
    const { code } = await transform(files.get(name) ?? "", { loader: "ts", format: "esm" });
    const module = code.replace("./validators.ts", validators);
    return `data:text/javascript,${encodeURIComponent(module)}`;
  };
  return (await import(await load("contract.ts", await load("validators.ts")))).contract;
}

/** The files that are generated from a spec of one file. Throws a `SpecError`. */
export async function generateFrom(spec: string): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "atpoint-spec-"));
  const entry = join(folder, "main.tsp");
  await writeFile(entry, spec);
  return generate(entry).finally(() => rm(folder, { recursive: true }));
}
