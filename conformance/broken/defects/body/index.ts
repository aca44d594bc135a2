import type { Defect } from "../../defect.ts";
import { byteDefects } from "./bytes.ts";
import { codingDefects } from "./codings.ts";
import { jsonDefects } from "./json.ts";
import { mediaTypeDefects } from "./media-types.ts";
import { structureDefects } from "./structure.ts";

/** What can go wrong in reading the body of a POST. */
export const bodyDefects: readonly Defect[] = [
  ...mediaTypeDefects,
  ...codingDefects,
  ...jsonDefects,
  ...byteDefects,
  ...structureDefects,
];
