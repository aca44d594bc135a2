const cell = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const aligned = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((text, at) => text.padEnd(Math.max(...rows.map((one) => one[at]?.length ?? 0)))))
    .map((row) => `${row.join("  ").trimEnd()}\n`)
    .join("");

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** An answer for people: a list as a table, anything else a member a line, a text as it is. */
export function answerText(answer: unknown): string {
  if (typeof answer === "string") return answer.endsWith("\n") ? answer : `${answer}\n`;
  if (!isObject(answer)) return `${JSON.stringify(answer)}\n`;
  const { items, ...others } = answer;
  const rest = aligned(
    Object.entries(Array.isArray(items) ? others : answer).map(([name, value]) => [name, cell(value)]),
  );
  if (!Array.isArray(items)) return rest;
  const rows = items.filter(isObject);
  if (rows.length === 0) return `There are none.\n${rest}`;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const table = aligned([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]);
  return rest === "" ? table : `${table}\n${rest}`;
}
