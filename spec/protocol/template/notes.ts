import { type Creation, type Database, newId } from "atpoint-server";
import type { Note } from "./generated/contract.ts";

export type Notes = ReturnType<typeof openNotes>;

/**
 * The notes in the database. Every method throws `storage-unavailable` when that cannot be used.
 */
export function openNotes({ read, write, pageReader, isoTimestampSql }: Database) {
  const find = async (from: Database["read"], id: string): Promise<Note | null> => {
    const rows: Note[] = await from((knex) =>
      knex("notes")
        .where({ id })
        .select("id", "text", knex.raw(`${isoTimestampSql("created_at")} as "createdAt"`)),
    );
    return rows[0] ?? null;
  };
  return {
    /** Nothing is written yet: `createOnce` does that, once for each idempotency key. */
    creation(text: string, now: Date, deadline: number): Creation<Note> {
      const note = { id: newId(), text, createdAt: now.toISOString() };
      const row = { id: note.id, text, created_at: note.createdAt };
      return {
        id: note.id,
        createdAt: note.createdAt,
        deadline,
        async insert(transaction) {
          await (transaction?.write ?? write)((knex) => knex("notes").insert(row), deadline);
          return note;
        },
        find: (transaction, id) => find(transaction.read, id),
      };
    },
    find: (id: string) => find(read, id),
    page: pageReader("notes", { id: "id", text: "text", createdAt: isoTimestampSql("created_at") }),
  };
}
