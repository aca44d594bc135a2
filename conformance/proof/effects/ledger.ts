import { instant, isSame, type Shape } from "./server.ts";

let lastId = 0;

/** Invoices of accounts, with numbers as ids. */
export const ledger: Shape = {
  name: "ledger",
  owner: "account",
  record: "invoice",
  ownerId: "accountId",
  unique: "reference",
  text: "memo",
  number: "amount",
  state: { member: "status", initial: "draft" },
  moves: { send: { from: ["draft"], to: "sent" }, pay: { from: ["sent"], to: "paid" } },
  filters: {
    accountId: ["accountId", isSame],
    status: ["status", (value: string, wanted: readonly string[]) => wanted.includes(value)],
    references: ["reference", (value: string, wanted: readonly string[]) => wanted.includes(value)],
    memo: ["memo", isSame],
    minimum: ["amount", (value: number, wanted: number) => value >= wanted],
    maximum: ["amount", (value: number, wanted: number) => value <= wanted],
    below: ["amount", (value: number, wanted: number) => value < wanted],
    dueFrom: ["dueAt", (value: string, wanted: string) => instant(value) >= instant(wanted)],
    dueTo: ["dueAt", (value: string, wanted: string) => instant(value) <= instant(wanted)],
    dueBefore: ["dueAt", (value: string, wanted: string) => instant(value) < instant(wanted)],
  },
  order: ["-dueAt", "amount", "id"],
  times: ["dueAt"],
  ignoresCase: false,
  newId: () => ++lastId,
  sample: (n) => ({
    reference: `Other ${n} ${Math.random()}`,
    amount: (n % 100) - 20,
    dueAt: `20${10 + (n % 90)}-01-31T12:00:00Z`,
  }),
  otherId: (n) => (n * 7919 * 2 ** 13) % 2_147_483_647,
};
