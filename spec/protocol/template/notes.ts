import type { Database, Transaction } from "atpoint-server";
import type { Note } from "./generated/contract.ts";

export type Notes = ReturnType<typeof openNotes>;

/**
 * The notes in the database. Every method throws `storage-unavailable` when that cannot be used.
 */
export function openNotes({ pageReader, isoTimestampSql }: Database) {
  const notes = pageReader<Note>("notes", {
    id: "id",
    text: "text",
    createdAt: isoTimestampSql("created_at"),
  });
  return {
    async insert({ id, text, createdAt }: Note, tx: Transaction): Promise<Note> {
      await tx.write((knex) => knex("notes").insert({ id, text, created_at: createdAt }));
      return { id, text, createdAt };
    },
    find: notes.find,
    page: notes,
  };
}
