import type { Exchange } from "../client/wire/exchange.ts";

/** Characters of a body that reports for people show; JSON has all of it. */
const SHOWN = 4096;

/** An exchange as it was on the wire, for people to read. Control characters show as escapes, so none reaches a terminal. */
export function exchangeText({ request, answer, error, durationMs }: Exchange): string {
  const sent = request.raw
    ? `(on a socket, ${request.url})\n${bodyText(request.raw)}`
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

function message(start: string, headers: Exchange["request"]["headers"], body: Buffer): string {
  const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`)].map(visible).join("\n");
  return body.length > 0 ? `${head}\n\n${bodyText(body)}` : head;
}

function bodyText(body: Buffer): string {
  const text = body.toString();
  if (!Buffer.from(text).equals(body)) return shortened(`base64 of ${body.length} bytes: ${body.toString("base64")}`);
  return visible(shortened(text.replaceAll("\r\n", "\n")));
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}\n… ${text.length - SHOWN} characters more` : text;
}
