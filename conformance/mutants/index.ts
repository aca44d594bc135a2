import { readdirSync } from "node:fs";
import type { WildMutant } from "./mutant.ts";

const files = readdirSync(new URL("wild/", import.meta.url)).map((file) => `./wild/${file}`);
const modules: readonly { readonly mutants?: readonly WildMutant[] }[] = await Promise.all(
  files.map((file) => import(file)),
);

/** Every broken server that is written by hand: whatever is in the folder. */
export const mutants: readonly WildMutant[] = modules.flatMap(({ mutants = [] }) => mutants);
