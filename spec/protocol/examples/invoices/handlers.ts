import { documentHandlers, type Handlers, pageOf, type ServerServices } from "atpoint-server";
import type { Types } from "./generated/contract.ts";
import { type Invoices, totalOf } from "./invoices.ts";
import { printed } from "./print.ts";

/** One for each operation of the spec: a missing one does not compile. */
export const handlers: Handlers<Types, ServerServices & { readonly invoices: Invoices }> = {
  "invoice.create": (input, { services, once }) => {
    const draft = { ...input, status: "draft", total: totalOf(input.lines) } as const;
    return once({ record: ({ id }) => id }, (tx) => services.invoices.insert(draft, tx));
  },

  "invoice.change": ({ id, lines, ...rest }, { services, once }) => {
    const changes = { ...rest, lines, total: lines && totalOf(lines) };
    return once({ record: id }, (tx) => services.invoices.update(id, ["draft"], changes, tx));
  },

  "invoice.send": ({ id }, { services, once, now }) => {
    const changes = { status: "sent", sentAt: now().toISOString() } as const;
    return once({ record: id }, (tx) => services.invoices.update(id, ["draft"], changes, tx));
  },

  "invoice.pay": ({ id, payment }, { services, once }) => {
    const changes = { status: "paid", payment } as const;
    return once({ record: id }, (tx) => services.invoices.update(id, ["sent"], changes, tx));
  },

  "invoice.cancel": ({ id }, { services, once }) => {
    const changes = { status: "cancelled" } as const;
    const from = ["draft", "sent"] as const;
    return once({ record: id }, (tx) => services.invoices.update(id, from, changes, tx));
  },

  "invoice.list": (input, { services, deadline }) =>
    pageOf("invoice.list", input, services.invoices.list(input), deadline),

  "invoice.get": ({ id }, { services }) => services.invoices.find(id),

  "invoice.print": async ({ id }, { services }) => ({
    id,
    mediaType: "text/markdown",
    content: printed(await services.invoices.find(id)),
  }),

  ...documentHandlers,
};
