import type { Knex } from "knex";

/**
 * A transaction that has begun; throws the error of the connection when it has not. Knex returns one in both cases: a statement in one
 * that has not begun fails as "already complete", which hides that the connection is lost. Its promise has the reason.
 */
export async function begin(database: Knex, config: Knex.TransactionConfig): Promise<Knex.Transaction> {
  const transaction = await database.transaction(undefined, config);
  if (transaction.isCompleted()) await transaction.executionPromise;
  return transaction;
}
