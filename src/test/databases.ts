import { describe, it } from "vitest";
import { type DatabaseUnderTest, postgres, sqlite } from "./fresh-database.ts";

export { sqlite };

const leftOut =
  "PostgreSQL is LEFT OUT: set TEST_POSTGRES_URL=postgres://USER@HOST:PORT/DATABASE to run this suite on it too";

/** SQLite, and PostgreSQL when TEST_POSTGRES_URL is set; without it, the console and the report say so. */
export function databasesUnderTest(): DatabaseUnderTest[] {
  const server = process.env.TEST_POSTGRES_URL;
  if (server !== undefined) return [sqlite, postgres(server)];
  console.warn(leftOut);
  describe(leftOut, () => it.todo("runs on PostgreSQL"));
  return [sqlite];
}
