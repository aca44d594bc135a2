import { type Check, checkAll, type Law } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { excerpt } from "../client/reply.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { objectIn } from "../client/wire/json.ts";
import { WORD } from "../client/word.ts";

/** Laws for every 422 `invalid-input` (D8). */

const POINTER = /^#(?:\/(?:[A-Za-z0-9\-._!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2}|~[01]|\/)*)?$/;

/** The faults that a response lists; null for any other response. */
function faultsOf({ request, answer }: Exchange): readonly unknown[] | null {
  if (answer?.status !== 422 || request.method === "HEAD") return null;
  const { code, errors } = objectIn(answer.body) ?? {};
  if (code !== "invalid-input") return null;
  return Array.isArray(errors) ? errors : [];
}

const wellFormed: Law = (exchange) => {
  const faults = faultsOf(exchange);
  if (faults?.length === 0)
    fail("body:/errors", "a list of faults that is not empty", excerpt(`${exchange.answer?.body}`));
  for (const fault of faults ?? []) {
    const { pointer, parameter, detail, ...more } = Object(fault);
    const text = excerpt(JSON.stringify(fault));
    if (typeof detail !== "string" || detail === "") fail("body:/errors/*/detail", "a detail in each fault", text);
    if ((pointer === undefined) === (parameter === undefined))
      fail("body:/errors/*", "either a pointer or a parameter", text);
    if (pointer !== undefined && (typeof pointer !== "string" || !POINTER.test(pointer)))
      fail("body:/errors/*/pointer", "a JSON pointer as a URI fragment", text);
    if (parameter !== undefined && typeof parameter !== "string")
      fail("body:/errors/*/parameter", "the name of a parameter", text);
    const [other] = Object.keys(more);
    if (other !== undefined) fail(`body:/errors/*/${other}`, "pointer or parameter, detail and nothing else", text);
  }
};

const atMost: Law = (exchange) => {
  const faults = faultsOf(exchange) ?? [];
  if (faults.length > 20) fail("body:/errors", "at most 20 faults", String(faults.length));
};

/** An unknown member is reported at its parent, with the names that are allowed there, and never by its own name. */
const unnamed: Law = (exchange, _, { predicted }) => {
  const faults = faultsOf(exchange);
  const { prediction, request } = predicted ?? {};
  if (!faults || !prediction?.operation || !request) return;
  const [word] = WORD.exec(request.target + request.body) ?? [];
  const text = exchange.answer?.body.toString() ?? "";
  if (word !== undefined && text.includes(word)) fail("body:/errors", `nothing of the name ${word}`, excerpt(text));
  const { operation, strangerAt } = prediction;
  const known = Object.keys(operation.input);
  for (const { place, allowed } of strangerAt ?? []) {
    const names = allowed ?? known;
    const says = (fault: unknown) => names.every((name) => String(Object(fault).detail).includes(name));
    if (!faults.some((fault) => Object(fault).pointer === place && says(fault)))
      fail("body:/errors", `a fault at ${place} that names ${names.join(" and ") || "nothing"}`, excerpt(text));
  }
};

export const inputLaws: readonly Check[] = [
  checkAll("errors/invalid-input#every-response", wellFormed),
  checkAll("errors/at-most-20#every-response", atMost),
  checkAll("input/unknown-not-named#every-response", unnamed),
];
