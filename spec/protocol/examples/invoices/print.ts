import type { Invoice } from "./generated/contract.ts";

/** A text that Markdown shows as it is. */
const escaped = (text: string) =>
  text.replace(/[\\`*_{}[\]<>()#+.!|~-]/g, "\\$&").replace(/\s+/g, " ");

/** An invoice in Markdown. */
export function printed({ number, customer, lines, dueDate, total, status }: Invoice): string {
  const { name, address } = customer;
  const place = [address.street, address.city, address.country].flatMap((one) => one ?? []);
  const rows = lines.map(
    ({ text, quantity, price }) => `| ${escaped(text)} | ${quantity} | ${price} |`,
  );
  return [
    `# Invoice ${number}`,
    `To ${[name, ...place].map(escaped).join(", ")}`,
    ["| | Quantity | Price |", "| --- | ---: | ---: |", ...rows].join("\n"),
    `Total: ${total} EUR, due on ${dueDate} (${status}).`,
  ].join("\n\n");
}
