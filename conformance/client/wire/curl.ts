import { print, quote } from "../../next/secrets/shell.ts";
import type { SentRequest } from "./exchange.ts";

/** Longest argument that a shell passes to a command on every system, with room to spare (Linux: 128 KiB). */
const LONGEST_WORD = 64 * 1024;

/**
 * A line of POSIX shell that sends the same bytes. Pass a redacted request: `$API_KEY`, or another name in `secrets`, is left for
 * the shell to expand (as the raw value: a key sent in base64 cannot be sent again this way).
 */
export function curlLine(request: SentRequest, secrets: readonly string[] = ["API_KEY"], files: Files = null): string {
  if (request.raw) return onSocket(request.url, request.raw, secrets, files);
  if (!speakable(request)) return onSocket(request.url, written(request), secrets, files);
  const { method, url, headers, body } = request;
  const sent = new Set(headers.map(([name]) => name.toLowerCase()));
  const sends = body.length > 0 || sent.has("content-length");
  // curl computes the length of the body itself, and must: an expanded key may be longer or shorter than the one that was sent.
  const fields = headers.filter(([name]) => name.toLowerCase() !== "content-length");
  // Headers that curl adds by default.
  const unsent = ["Host", "User-Agent", "Accept", ...(sends ? ["Content-Type", "Expect"] : [])]
    .filter((name) => !sent.has(name.toLowerCase()))
    .map((name) => `${name}:`);
  const words = [
    "curl -q --silent --include --globoff --path-as-is --http1.1 --noproxy '*'",
    ...shown(files, "--"),
    method === "HEAD" ? "--head" : `-X ${quote(method, secrets)}`,
    ...fields.map(([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`, secrets)}`),
    ...unsent.map((field) => `-H '${field}'`),
  ];
  const address = quote(url, secrets);
  if (!sends) return [...words, address].join(" ");
  if (readable(body)) return [...words, `--data-raw ${quote(body.toString(), secrets)}`, address].join(" ");
  return `${print(body, secrets)} | ${[...words, "--data-binary @-", address].join(" ")}`;
}

/** The files of a client certificate and its key; null if there are none. */
type Files = readonly [cert: string, key: string] | null;

const shown = (files: Files, dashes: string): string[] =>
  files ? [`${dashes}cert ${quote(files[0], [])} ${dashes}key ${quote(files[1], [])}`] : [];

/** Whether curl can send the same request: it cannot write non-ASCII bytes in a head, or a body with HEAD. */
function speakable({ method, url, headers, body }: SentRequest): boolean {
  const plain = headers.every(([name, value]) => /^[\x20-\x7e\t]*$/.test(name + value) && value === value.trim());
  const head = headers.reduce((length, [, value]) => Math.max(length, value.length), url.length);
  return (
    plain &&
    head < LONGEST_WORD &&
    /^[\x21-\x7e]+$/.test(url) &&
    !url.includes("#") &&
    /^https?:\/\/[^/?@]+\//i.test(url) &&
    !(method === "HEAD" && body.length > 0) &&
    !headers.some(([name]) => name.toLowerCase() === "transfer-encoding")
  );
}

/** The request as its client wrote it, except for chunking of its body. */
function written({ method, url, headers, body }: SentRequest): Buffer {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, "").replace(/^(?!\/)/, "/");
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${fields}\r\n`, "latin1"), body]);
}

/**
 * Through curl as a plain socket, which closes when the server does; it doubles bytes of 255, so those use nc. TLS uses openssl.
 */
function onSocket(url: string, bytes: Buffer, secrets: readonly string[], files: Files): string {
  const { protocol, hostname, port } = new URL(url);
  const printed = print(bytes, secrets);
  if (protocol === "https:") {
    const server = hostname.startsWith("[") ? "" : ` -servername ${hostname}`;
    const certificate = shown(files, "-")
      .map((words) => ` ${words}`)
      .join("");
    return `${printed} | openssl s_client -quiet -connect ${quote(`${hostname}:${port || 443}`, [])}${server}${certificate}`;
  }
  if (bytes.includes(0xff)) return `${printed} | nc ${hostname.replace(/[[\]]/g, "")} ${port || 80}`;
  const address = quote(`telnet://${hostname}:${port || 80}`, []);
  return `${printed} | curl -q --silent --no-buffer --max-time 30 --noproxy '*' ${address}`;
}

/** Text that a person can read and copy: UTF-8 without control or invisible characters but tab and line feed. */
function readable(body: Buffer): boolean {
  const text = body.toString();
  return body.length < LONGEST_WORD && Buffer.from(text).equals(body) && !/[^\P{C}\t\n]/u.test(text);
}
