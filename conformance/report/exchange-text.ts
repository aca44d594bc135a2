import type { Bytes, Exchange } from "../client/wire/exchange.ts";

/** Default maximum of characters of a body in reports for people; JSON has more of it. */
const SHOWN = 4096;

/** An exchange as on the wire, for people to read. Control characters are escaped, so none reaches a terminal. */
export function exchangeText({ request, answer, error, durationMs }: Exchange, most = SHOWN): string {
  const message = (start: string, headers: Exchange["request"]["headers"], body: Bytes) => {
    const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`)].map(visible).join("\n");
    return body.length > 0 ? `${head}\n\n${bodyText(body, most)}` : head;
  };
  const sent = request.raw
    ? `(on a socket, ${request.url})\n${bodyText(request.raw, most)}`
    : message(`${request.method} ${request.url}`, request.headers, request.body);
  const duration = `${Math.round(durationMs)} ms`;
  if (!answer) return `${sent}\n\n${visible(error ?? "no answer")} (${duration})`;
  const status = `HTTP/${answer.httpVersion} ${answer.status} ${answer.reason}`.trimEnd();
  return `${sent}\n\n${message(`${status} (${duration})`, answer.headers, answer.body)}`;
}

/** Text with its control and bidirectional characters as escapes; line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

function bodyText(body: Bytes, most: number): string {
  const text = body.toString();
  const more = body.omitted ? `\n… ${body.omitted} bytes more that were not kept` : "";
  if (!Buffer.from(text).equals(body))
    return shortened(`base64 of ${body.length} bytes: ${body.toString("base64")}`, most) + more;
  return visible(shortened(text.replaceAll("\r\n", "\n"), most)) + more;
}

/** Two texts that differ, each cut to this many characters around the difference. */
export function shortenedPair(one: string, other: string, most: number): readonly [one: string, other: string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = at < most ? 0 : at - Math.floor(most / 2);
  const cut = (text: string) => (from > 0 ? "…" : "") + shortened(text.slice(from), most);
  return [cut(one), cut(other)];
}

/** The beginning of a text, and how much is omitted. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}\n… ${text.length - most} characters more` : text;
}
