import { v7 as newId } from "uuid";
import type { Transaction } from "../server/storage/database.ts";
import { UniqueViolation } from "../server/storage/errors.ts";
import type { Handler } from "./handler.ts";

/**
 * D24: the unique index decides whether the e-mail address is taken. D25: a repeated call gets the
 * first response, and creates nothing.
 */
export const userCreate: Handler<"user.create"> = async (
  { name, email },
  { services: { users }, now, deadline, once, problem },
) => {
  const user = { id: newId(), name, email, createdAt: now().toISOString() };
  const command = {
    record: user.id,
    find: (tx: Transaction, id: string) => users.find(id, tx.read),
  };
  try {
    return await once(command, (tx) => users.insert(user, tx, deadline));
  } catch (error) {
    throw error instanceof UniqueViolation ? problem("email-taken") : error;
  }
};
