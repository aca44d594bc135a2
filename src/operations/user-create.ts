import { Problem } from "../server/problem.ts";
import { UniqueViolation } from "../server/storage/errors.ts";
import type { Handler } from "./handler.ts";

/**
 * D24: the unique index decides whether the e-mail address is taken. D25: a repeated call gets the
 * first response, and creates nothing.
 */
export const userCreate: Handler<"user.create"> = async (
  { name, email },
  { services, now, deadline, createOnce },
) => {
  try {
    return await createOnce(services.users.creation({ name, email, createdAt: now() }, deadline));
  } catch (error) {
    throw error instanceof UniqueViolation ? new Problem("email-taken") : error;
  }
};
