import { type Database, Problem, type Transaction } from "atpoint-server";
import type { Invoice, Line, ProblemCode, Types } from "./generated/contract.ts";

export type Invoices = ReturnType<typeof openInvoices>;
type Status = Invoice["status"];

/** What a column of an update gets: undefined leaves it as it is, and null removes its value. */
type Changes = { readonly [Member in keyof Invoice]?: Invoice[Member] | null };

interface InvoiceRow {
  id: number;
  number: string;
  /** JSON, as are `lines` and `payment`. */
  customer: string;
  lines: string;
  due_date: string;
  note: string | null;
  status: Status;
  total: string;
  sent_at: string | null;
  payment: string | null;
}

/** The sum of the lines in euros, counted in cents. */
export function totalOf(lines: readonly Line[]): string {
  const cents = lines.map(({ quantity, price }) => quantity * Number(price.replace(".", "")));
  const sum = cents.reduce((total, one) => total + one, 0);
  return `${Math.floor(sum / 100)}.${String(sum % 100).padStart(2, "0")}`;
}

const toJson = (value: unknown) => (value ? JSON.stringify(value) : undefined);

/** The columns of what is given. */
const columnsOf = ({ customer, lines, dueDate, sentAt, payment, ...rest }: Changes) => ({
  ...rest,
  customer: toJson(customer),
  lines: toJson(lines),
  due_date: dueDate,
  sent_at: sentAt,
  payment: toJson(payment),
});

/** Every method throws `storage-unavailable` when the database cannot be used. */
export function openInvoices({ read, pageReader, isoTimestampSql }: Database) {
  const sentAt = isoTimestampSql("sent_at");
  const pages = pageReader<Invoice, InvoiceRow>("invoices", {
    id: "id",
    number: "number",
    customer: "json(customer)",
    lines: "json(lines)",
    dueDate: "due_date",
    note: "note",
    status: "status",
    total: "total",
    sentAt,
    payment: "json(payment)",
  });

  async function find(id: number, from = read): Promise<Invoice> {
    const [row]: InvoiceRow[] = await from((knex) =>
      knex("invoices")
        .where({ id })
        .select("*", knex.raw(`${sentAt} as sent_at`)),
    );
    if (!row) throw new Problem<ProblemCode>("invoice-not-found");
    return {
      id,
      number: row.number,
      customer: JSON.parse(row.customer),
      lines: JSON.parse(row.lines),
      dueDate: row.due_date,
      note: row.note ?? undefined,
      status: row.status,
      total: row.total,
      sentAt: row.sent_at ?? undefined,
      payment: row.payment === null ? undefined : JSON.parse(row.payment),
    };
  }

  return {
    find,

    async insert(invoice: Omit<Invoice, "id">, tx: Transaction): Promise<Invoice> {
      const rows: { id: number }[] = await tx.write((knex) =>
        knex("invoices").insert(columnsOf(invoice)).onConflict("number").ignore().returning("id"),
      );
      if (!rows[0]) throw new Problem<ProblemCode>("number-taken");
      return { ...invoice, id: rows[0].id };
    },

    /** One statement decides: of two that pay at once, the second finds it paid. */
    async update(id: number, from: readonly Status[], changes: Changes, tx: Transaction) {
      const columns = { ...columnsOf(changes), id };
      const count = await tx.write((knex) =>
        knex("invoices").where({ id }).whereIn("status", from).update(columns),
      );
      const invoice = await find(id, tx.read);
      if (count === 0) throw new Problem<ProblemCode>("wrong-status");
      return invoice;
    },

    list: ({ status, dueBefore, number }: Types["invoice.list"]["input"]) =>
      pages.with({
        where: {
          status: { oneOf: status },
          due_date: { before: dueBefore },
          number: { startsWith: number },
        },
        orderBy: ["due_date"],
      }),
  };
}
