import type { Defect } from "../../defect.ts";
import { absentDefects } from "./absent.ts";
import { cachingDefects } from "./caching.ts";
import { compressedDefects } from "./compressed.ts";
import { contentDefects } from "./content.ts";
import { etagDefects } from "./etag.ts";
import { formatDefects } from "./formats.ts";
import { listDefects } from "./list.ts";
import { nameDefects } from "./names.ts";
import { notModifiedDefects } from "./not-modified.ts";
import { representationDefects } from "./representations.ts";

/** Documents and their list. */
export const docsDefects: readonly Defect[] = [
  ...listDefects,
  ...formatDefects,
  ...etagDefects,
  ...notModifiedDefects,
  ...cachingDefects,
  ...compressedDefects,
  ...representationDefects,
  ...absentDefects,
  ...nameDefects,
  ...contentDefects,
];
