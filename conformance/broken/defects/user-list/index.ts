import type { Defect } from "../../defect.ts";
import { cursorDefects } from "./cursors.ts";
import { limitDefects } from "./limits.ts";
import { linkDefects } from "./links.ts";
import { nextDefects } from "./next.ts";
import { pageDefects } from "./pages.ts";

/** `user.list`, broken. */
export const userListDefects: readonly Defect[] = [
  ...pageDefects,
  ...limitDefects,
  ...cursorDefects,
  ...nextDefects,
  ...linkDefects,
];
