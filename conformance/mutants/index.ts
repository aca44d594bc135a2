import { readdirSync } from "node:fs";
import type { WildMutant } from "./mutant.ts";

const files = readdirSync(new URL("wild/", import.meta.url)).map((file) => `./wild/${file}`);
const modules: readonly { readonly mutants?: readonly WildMutant[] }[] = await Promise.all(
  files.map((file) => import(file)),
);

/** Every hand-written broken server: all modules of the folder. */
export const mutants: readonly WildMutant[] = modules.flatMap(({ mutants = [] }) => mutants);
