import { Problem } from "../protocol/problem.ts";
import type { Handler } from "./handler.ts";

/** D24: the unique index decides whether the e-mail address is taken. */
export const userCreate: Handler<"user.create"> = async ({ name, email }, { users, clock }) => {
  const user = await users.insert({ name, email, createdAt: clock.now() });
  if (!user) throw new Problem("email-taken");
  return user;
};
