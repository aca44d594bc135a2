import { isTaken, type Own } from "../../oracle/own.ts";
import { replayedBy } from "../../oracle/rules.ts";

/** D23, D24: an e-mail address is unique, ignoring case. */

const CODE = "email-taken";

const emailOf = (data: unknown): string | null => {
  const { email } = Object(data);
  return typeof email === "string" ? email.toLowerCase() : null;
};

export const userCreate: Own = {
  operation: "user.create",
  unique: { [CODE]: emailOf },
  rules: [
    {
      step: "handle",
      by: "user.create/email-taken",
      code: CODE,
      fails: (r) => {
        if (r.operation?.id !== "user.create" || replayedBy(r)) return false;
        return !r.at.holds("the e-mail address is free", !isTaken(r.world, CODE, emailOf(r.json?.data)));
      },
    },
  ],
};
