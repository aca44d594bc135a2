import type { Handler } from "./handler.ts";

/** D24: the unique index decides whether the e-mail address is taken. D25: a repeated call gets the first response, and creates nothing. */
export const userCreate: Handler<"user.create"> = (
  { name, email },
  { services, now, deadline, createOnce },
) => createOnce(services.users.creation({ name, email, createdAt: now() }, deadline));
