import type { Defect } from "../../defect.ts";
import { byteDefects } from "./bytes.ts";
import { jsonDefects } from "./json.ts";
import { mediaTypeDefects } from "./media-types.ts";
import { precedenceDefects } from "./precedence.ts";
import { structureDefects } from "./structure.ts";

/** What can go wrong in reading the body of a POST. */
export const bodyDefects: readonly Defect[] = [
  ...mediaTypeDefects,
  ...jsonDefects,
  ...byteDefects,
  ...structureDefects,
  ...precedenceDefects,
];
