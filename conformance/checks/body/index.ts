import type { Check } from "../check.ts";
import { bytes } from "./bytes.ts";
import { coding } from "./coding.ts";
import { json } from "./json.ts";
import { mediaType } from "./media-type.ts";
import { nesting } from "./nesting.ts";
import { proto } from "./proto.ts";

/** The body of a POST, before anyone asks what it says (D6, D7). */
export const body: readonly Check[] = [...mediaType, ...coding, ...json, ...bytes, ...proto, ...nesting];
