import { docsCaching } from "./caching.ts";
import { docsCodings } from "./codings.ts";
import { docsEntries } from "./entries.ts";
import { docsFormats } from "./formats.ts";

/** `docs.list` and `docs.get.<name>`. */
export const docs = [...docsEntries, ...docsFormats, ...docsCaching, ...docsCodings];
