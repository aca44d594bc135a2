import { Problem } from "../server/problem.ts";
import type { Handler } from "./handler.ts";

/** D24: the unique index decides whether the e-mail address is taken. D25: a repeated call gets the first response, and creates nothing. */
export const userCreate: Handler<"user.create"> = async ({ name, email }, context) => {
  const { services, now, deadline, createOnce } = context;
  const user = await createOnce(services.users.creation({ name, email, createdAt: now() }, deadline));
  if (!user) throw new Problem("email-taken");
  return user;
};
