/**
 * POSIX shell words that stand for exact bytes. Names of secrets in them (`$API_KEY`, `$API_KEY[1-9]` for bytes of it,
 * `$API_KEY[1-9:upper]` for these in other letters) stay for the shell to expand.
 */

/** What `tr` makes of the letters of a part. */
const TURNS: Readonly<Record<string, string>> = {
  upper: " | tr a-z A-Z",
  lower: " | tr A-Z a-z",
  swapped: " | tr a-zA-Z A-Za-z",
};

/** A run of one byte at least this long is made by the shell instead of being written out. */
const LONG_RUN = 512;

/** One shell word for a text: single quotes, and the secrets in double quotes between them. */
export function quote(text: string, secrets: readonly string[]): string {
  if (/^[\w\-.:/]+$/.test(text)) return text;
  const pieces = split(text, secrets).map(({ text: piece, secret }) =>
    secret ? expand(secret) : `'${piece.replaceAll("'", "'\\''")}'`,
  );
  return pieces.length > 0 ? pieces.join("") : "''";
}

/** A command that prints the bytes, NUL and all. */
export function print(bytes: Buffer, secrets: readonly string[]): string {
  const commands = runs(bytes.toString("latin1")).map((run) => {
    const [first = ""] = run;
    if (run.length >= LONG_RUN && run === first.repeat(run.length))
      return `head -c ${run.length} /dev/zero | tr '\\000' '${octal(first)}'`;
    return printf(run, secrets);
  });
  const [only = "printf ''", ...more] = commands;
  return more.length === 0 && !only.includes("|") ? only : `{ ${commands.join("; ")}; }`;
}

function printf(text: string, secrets: readonly string[]): string {
  let format = "";
  let operands = "";
  for (const { text: piece, secret } of split(text, secrets)) {
    if (secret) operands += ` ${expand(secret)}`;
    format += secret ? "%s" : escaped(piece);
  }
  // A dash in front would be read as an option.
  return `printf '${format.replace(/^-/, "\\055")}'${operands}`;
}

function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("%", "%%")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")
    .replace(/[^\x20-\x7e\\]|'/g, octal);
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

function runs(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(/([\s\S])\1*/g)) {
    if (run.length < LONG_RUN) continue;
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push(run);
    from = index + run.length;
  }
  return from < text.length ? [...pieces, text.slice(from)] : pieces;
}

/** A name, or a part of what it stands for. */
function expand(secret: string): string {
  const [, name = secret, range, turn = ""] = /^(\w+)\[([\d-]+):?(\w*)\]$/.exec(secret) ?? [];
  return range ? `"$(printf %s "$${name}" | cut -b ${range}${TURNS[turn] ?? ""})"` : `"$${name}"`;
}

function split(text: string, secrets: readonly string[]): { text: string; secret: string | undefined }[] {
  const names = [...secrets]
    .sort((one, other) => other.length - one.length)
    .map((name) => `\\$${name}(?:\\[\\d+-\\d+(?::\\w+)?\\])?`);
  const pieces = text.split(new RegExp(`(${names.join("|") || "(?!)"})`));
  return pieces.flatMap((piece, index) =>
    piece === "" ? [] : [{ text: piece, secret: index % 2 === 1 ? piece.slice(1) : undefined }],
  );
}
