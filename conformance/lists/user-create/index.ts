import { checksOf } from "../list.ts";
import { users } from "./list.ts";

/** The requirements about form of this operation only. */
const FORMS = ["user.create/email-syntax", "user.create/email-length", "user.create/name-blanks"];

export const userCreateLists = [
  ...checksOf(FORMS, users),
  ...checksOf(["user.create/as-sent", "user.create/email-taken"], users, "bounds"),
];
