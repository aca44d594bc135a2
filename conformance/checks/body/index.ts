import type { Check } from "../check.ts";
import { bytes } from "./bytes.ts";
import { headers } from "./headers.ts";
import { json } from "./json.ts";
import { nesting } from "./nesting.ts";
import { proto } from "./proto.ts";

/** The body of a POST, before anyone asks what it says (D6, D7). */
export const body: readonly Check[] = [...headers, ...json, ...bytes, ...proto, ...nesting];
