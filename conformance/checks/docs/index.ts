import { docsCaching } from "./caching.ts";
import { docsCompressed } from "./compressed.ts";
import { docsContent } from "./content.ts";
import { docsFormats } from "./formats.ts";
import { docsList } from "./list.ts";
import { docsNames } from "./names.ts";

/** `docs.list` and `docs.get.<name>`. */
export const docs = [...docsList, ...docsFormats, ...docsCaching, ...docsCompressed, ...docsNames, ...docsContent];
