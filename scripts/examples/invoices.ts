import type { Defect } from "./defect.ts";

/** Eight of them are about records. */
export const defects: readonly Defect[] = [
  {
    what: "what is due on a day is due before it",
    file: "invoices.ts",
    text: "{ before: dueBefore }",
    by: "{ atMost: dueBefore }",
    requirement: "effects/filter",
  },
  {
    what: "an invoice is written without its note",
    file: "handlers.ts",
    text: "const draft = { ...input, status",
    by: "const draft = { ...input, note: undefined, status",
    requirement: "effects/created",
  },
  {
    what: "a paid invoice can be cancelled",
    file: "handlers.ts",
    text: 'const from = ["draft", "sent"] as const;',
    by: 'const from = ["draft", "sent", "paid"] as const;',
    requirement: "effects/state",
  },
  {
    what: "a change removes the note that it does not have",
    file: "handlers.ts",
    text: "const changes = { ...rest, lines",
    by: "const changes = { note: null, ...rest, lines",
    requirement: "effects/updated",
  },
  {
    what: "the number of another invoice replaces that one",
    file: "invoices.ts",
    text: '.onConflict("number").ignore()',
    by: '.onConflict("number").merge()',
    requirement: "effects/unique",
  },
  {
    what: "invoices are in the order of their numbers",
    file: "invoices.ts",
    text: 'orderBy: ["due_date"]',
    by: 'orderBy: ["number"]',
    requirement: "effects/order",
  },
  {
    what: "a cancelled invoice is not listed",
    file: "invoices.ts",
    text: "status: { oneOf: status }",
    by: 'status: { oneOf: status ?? ["draft", "sent", "paid"] }',
    requirement: "effects/listed",
  },
  {
    what: "a draft can be paid",
    file: "handlers.ts",
    text: 'update(id, ["sent"], changes, tx)',
    by: 'update(id, ["draft", "sent"], changes, tx)',
    requirement: "effects/state",
  },
  {
    what: "an invoice is printed as HTML",
    file: "handlers.ts",
    text: 'mediaType: "text/markdown"',
    by: 'mediaType: "text/html" as never',
    requirement: "answers/object",
  },
  {
    what: "an invoice without a note has null for it",
    file: "invoices.ts",
    text: "note: row.note ?? undefined",
    by: "note: row.note as never",
    requirement: "answers/object",
  },
];
