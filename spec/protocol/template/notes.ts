import type { Database, Transaction } from "atpoint-server";
import type { Note } from "./generated/contract.ts";

export type Notes = ReturnType<typeof openNotes>;

/**
 * The notes in the database. Every method throws `storage-unavailable` when that cannot be used.
 */
export function openNotes({ read, pageReader, isoTimestampSql }: Database) {
  const createdAt = isoTimestampSql("created_at");
  return {
    async insert({ id, text, createdAt }: Note, tx: Transaction): Promise<Note> {
      await tx.write((knex) => knex("notes").insert({ id, text, created_at: createdAt }));
      return { id, text, createdAt };
    },
    async find(id: string): Promise<Note | null> {
      const rows: Note[] = await read((knex) =>
        knex("notes")
          .where({ id })
          .select("id", "text", knex.raw(`${createdAt} as "createdAt"`)),
      );
      return rows[0] ?? null;
    },
    page: pageReader<Note>("notes", { id: "id", text: "text", createdAt }),
  };
}
