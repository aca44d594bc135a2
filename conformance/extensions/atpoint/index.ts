import type { Extension } from "../../extension.ts";
import { lawsFrom } from "../../laws/law.ts";
import { documentLaws } from "./documents.ts";
import { givenLaws } from "./given.ts";
import { golden } from "./golden/index.ts";
import { publishedLaws } from "./published.ts";
import { referenceLaws } from "./reference.ts";
import { rules } from "./rules.ts";
import { systemLaws } from "./system.ts";
import { userLaws } from "./users.ts";

/** The paths that a deployment serves next to its endpoint (D11). */
const PATHS = [
  ...["/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/openapi.operations.yaml"],
  ...["/reference", "/robots.txt", "/.well-known/api-catalog"],
];

/** What this service alone has: its users, documents, published files and pages. */
export const atpoint: Extension = {
  ...{ id: "atpoint", paths: PATHS, rules, golden },
  laws: (contract, views) =>
    lawsFrom(
      contract,
      [...documentLaws, ...givenLaws, ...publishedLaws(), ...referenceLaws, ...systemLaws, ...userLaws],
      views,
    ),
};
