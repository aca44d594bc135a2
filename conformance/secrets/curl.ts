import type { Gateway } from "../http/gateway.ts";
import type { Target } from "../http/target.ts";
import { placed, sentFields, write } from "../http/write.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";

/** Longest argument that a shell passes to a command on every system, with room to spare (Linux: 128 KiB). */
const LONGEST_WORD = 64 * 1024;

/** The files of a client certificate and its key; null if there are none. */
type Files = NonNullable<Gateway["certificate"]>["files"] | null;

interface Where {
  readonly target: Pick<Target, "origin" | "prefix">;
  /** The names that are left for the shell to expand: `API_KEY`. */
  readonly secrets: readonly string[];
  readonly files?: Files;
}

/**
 * A line of POSIX shell that sends the same bytes. Pass a redacted request: a key is left for the shell to expand (as the raw
 * value: a key sent in base64 cannot be sent again this way).
 */
export function curlLine(request: Request, where: Where): string {
  const { target, secrets, files = null } = where;
  const url = target.origin + placed(request.target, target.prefix);
  if (!isSpeakable(request, url)) return socketLine(write(request, target.prefix), where);
  const { method, body } = request;
  const fields = sentFields(request);
  const sends = body.length > 0 || fieldsOf(fields, "Content-Length").length > 0;
  const sent = new Set(fields.map(([name]) => name.toLowerCase()));
  // Fields that curl adds by default.
  const unsent = ["Host", "User-Agent", "Accept", ...(sends ? ["Content-Type", "Expect"] : [])]
    .filter((name) => !sent.has(name.toLowerCase()))
    .map((name) => `${name}:`);
  const words = [
    "curl -q --silent --include --globoff --path-as-is --http1.1 --noproxy '*'",
    ...certificate(files, "--"),
    method === "HEAD" ? "--head" : `-X ${quote(method, secrets)}`,
    ...fields
      // curl computes the length of the body itself, and must: an expanded key may be longer or shorter than the one that was sent.
      .filter(([name]) => name.toLowerCase() !== "content-length")
      .map(
        ([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`, secrets)}`,
      ),
    ...unsent.map((field) => `-H '${field}'`),
  ];
  const address = quote(url, secrets);
  if (!sends) return [...words, address].join(" ");
  const bytes = Buffer.from(body, "latin1");
  if (isReadable(bytes))
    return [...words, `--data-raw ${quote(bytes.toString(), secrets)}`, address].join(" ");
  return `${print(bytes, secrets)} | ${[...words, "--data-binary @-", address].join(" ")}`;
}

const certificate = (files: Files, dashes: string): string[] =>
  files ? [`${dashes}cert ${quote(files[0], [])} ${dashes}key ${quote(files[1], [])}`] : [];

/** Whether curl can send the same request: it cannot write non-ASCII bytes in a head, a body with HEAD, or chosen chunks. */
function isSpeakable(
  { method, target, fields, body, version, framing }: Request,
  url: string,
): boolean {
  const lengths = fields.map(([, value]) => value.length);
  return (
    version !== "1.0" &&
    !framing &&
    target.startsWith("/") &&
    fields.every(
      ([name, value]) => /^[\x20-\x7e\t]*$/.test(name + value) && value === value.trim(),
    ) &&
    Math.max(url.length, ...lengths) < LONGEST_WORD &&
    /^[\x21-\x7e]+$/.test(url) &&
    !url.includes("#") &&
    !(method === "HEAD" && body.length > 0) &&
    // It has a length of its own.
    fieldsOf(fields, "Content-Length").every((length) => length === `${body.length}`) &&
    fieldsOf(fields, "Transfer-Encoding").length === 0
  );
}

/**
 * Through curl as a plain socket, which closes when the server does; it doubles bytes of 255, so those use nc. TLS uses openssl.
 */
export function socketLine(
  bytes: Buffer,
  { target: { origin }, secrets, files = null }: Where,
): string {
  const { protocol, hostname, port } = new URL(origin);
  const printed = print(bytes, secrets);
  if (protocol === "https:") {
    const server = hostname.startsWith("[") ? "" : ` -servername ${hostname}`;
    const own = certificate(files, "-").map((words) => ` ${words}`);
    return `${printed} | openssl s_client -quiet -connect ${quote(`${hostname}:${port || 443}`, [])}${server}${own.join("")}`;
  }
  if (bytes.includes(0xff))
    return `${printed} | nc ${hostname.replace(/[[\]]/g, "")} ${port || 80}`;
  const address = quote(`telnet://${hostname}:${port || 80}`, []);
  return `${printed} | curl -q --silent --no-buffer --max-time 30 --noproxy '*' ${address}`;
}

/** Text that a person can read and copy: UTF-8 without control or invisible characters but tab and line feed. */
function isReadable(body: Buffer): boolean {
  const text = body.toString();
  return (
    body.length < LONGEST_WORD && Buffer.from(text).equals(body) && !/[^\P{C}\t\n]/u.test(text)
  );
}

/**
 * POSIX shell words for exact bytes. Names of secrets in them (`$API_KEY`, `$API_KEY[1-9]` for bytes of it, `$API_KEY[1-9:upper]`
 * for these in upper case) are left for the shell to expand.
 */

/** The `tr` arguments for case conversion of a part. */
const TURNS: Readonly<Record<string, string>> = {
  upper: " | tr a-z A-Z",
  lower: " | tr A-Z a-z",
  swapped: " | tr a-zA-Z A-Za-z",
};

/** A run of one byte at least this long is generated by the shell instead of being written out. */
const LONG_RUN = 512;

/** One shell word for a text: single quotes, and the secrets in double quotes between them. */
function quote(text: string, secrets: readonly string[]): string {
  if (/^[\w\-.:/]+$/.test(text)) return text;
  const pieces = split(text, secrets).map(({ text: piece, secret }) =>
    secret ? expand(secret) : `'${piece.replaceAll("'", "'\\''")}'`,
  );
  return pieces.length > 0 ? pieces.join("") : "''";
}

/** A command that prints the bytes, NUL and all. */
function print(bytes: Buffer, secrets: readonly string[]): string {
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
  // A leading dash would be read as an option.
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

/** A name, or a part of its value. */
function expand(secret: string): string {
  const [, name = secret, range, turn = ""] = /^(\w+)\[([\d-]+):?(\w*)\]$/.exec(secret) ?? [];
  return range ? `"$(printf %s "$${name}" | cut -b ${range}${TURNS[turn] ?? ""})"` : `"$${name}"`;
}

function split(
  text: string,
  secrets: readonly string[],
): { text: string; secret: string | undefined }[] {
  const names = [...secrets]
    .sort((one, other) => other.length - one.length)
    .map((name) => `\\$${name}(?:\\[\\d+-\\d+(?::\\w+)?\\])?`);
  const pieces = text.split(new RegExp(`(${names.join("|") || "(?!)"})`));
  return pieces.flatMap((piece, index) =>
    piece === "" ? [] : [{ text: piece, secret: index % 2 === 1 ? piece.slice(1) : undefined }],
  );
}
