import type { Gateway } from "../http/gateway.ts";
import type { Target } from "../http/target.ts";
import { placed, sentFields, write } from "../http/write.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import { print, quote } from "./shell.ts";

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
      .map(([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`, secrets)}`),
    ...unsent.map((field) => `-H '${field}'`),
  ];
  const address = quote(url, secrets);
  if (!sends) return [...words, address].join(" ");
  const bytes = Buffer.from(body, "latin1");
  if (isReadable(bytes)) return [...words, `--data-raw ${quote(bytes.toString(), secrets)}`, address].join(" ");
  return `${print(bytes, secrets)} | ${[...words, "--data-binary @-", address].join(" ")}`;
}

const certificate = (files: Files, dashes: string): string[] =>
  files ? [`${dashes}cert ${quote(files[0], [])} ${dashes}key ${quote(files[1], [])}`] : [];

/** Whether curl can send the same request: it cannot write non-ASCII bytes in a head, a body with HEAD, or chosen chunks. */
function isSpeakable({ method, target, fields, body, version, framing }: Request, url: string): boolean {
  const lengths = fields.map(([, value]) => value.length);
  return (
    version !== "1.0" &&
    !framing &&
    target.startsWith("/") &&
    fields.every(([name, value]) => /^[\x20-\x7e\t]*$/.test(name + value) && value === value.trim()) &&
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
export function socketLine(bytes: Buffer, { target: { origin }, secrets, files = null }: Where): string {
  const { protocol, hostname, port } = new URL(origin);
  const printed = print(bytes, secrets);
  if (protocol === "https:") {
    const server = hostname.startsWith("[") ? "" : ` -servername ${hostname}`;
    const own = certificate(files, "-").map((words) => ` ${words}`);
    return `${printed} | openssl s_client -quiet -connect ${quote(`${hostname}:${port || 443}`, [])}${server}${own.join("")}`;
  }
  if (bytes.includes(0xff)) return `${printed} | nc ${hostname.replace(/[[\]]/g, "")} ${port || 80}`;
  const address = quote(`telnet://${hostname}:${port || 80}`, []);
  return `${printed} | curl -q --silent --no-buffer --max-time 30 --noproxy '*' ${address}`;
}

/** Text that a person can read and copy: UTF-8 without control or invisible characters but tab and line feed. */
function isReadable(body: Buffer): boolean {
  const text = body.toString();
  return body.length < LONGEST_WORD && Buffer.from(text).equals(body) && !/[^\P{C}\t\n]/u.test(text);
}
