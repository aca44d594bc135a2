import { readdirSync } from "node:fs";
import type { Mutant } from "./mutant.ts";

/** Broken servers that follow from the spec, rows of particular ones, and those by hand: whatever stands in these folders. */
const files = ["derived", "rows", "wild"].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, import.meta.url)).map((file) => `./${folder}/${file}`),
);
const modules: readonly { readonly mutants?: readonly Mutant[] }[] = await Promise.all(
  files.map((file) => import(file)),
);

/** Every broken server there is. */
export const mutants: readonly Mutant[] = modules.flatMap(({ mutants = [] }) => mutants);
