import { CANARY } from "../canary.ts";
import type { Difference } from "../exchange.ts";
import { differs, excerpt, firstOf } from "./difference.ts";
import { law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/** Laws for every 422 `invalid-input` (D8). */

const POINTER = /^#(?:\/(?:[A-Za-z0-9\-._!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2}|~[01]|\/)*)?$/;

const isInvalidInput = ({ status, isHead, object }: View) =>
  status === 422 && !isHead && object?.code === "invalid-input";
const faultsOf = ({ object }: View): readonly unknown[] => (Array.isArray(object?.errors) ? object.errors : []);

function faultDifference(fault: unknown, at: string): Difference | null {
  const { pointer, parameter, detail, ...more } = Object(fault);
  const text = excerpt(JSON.stringify(fault));
  const [other] = Object.keys(more);
  if (typeof detail !== "string" || detail === "") return differs(`${at}/detail`, "a detail in each fault", text);
  if ((pointer === undefined) === (parameter === undefined))
    return differs(at, "either a pointer or a parameter", text);
  if (pointer !== undefined && (typeof pointer !== "string" || !POINTER.test(pointer)))
    return differs(`${at}/pointer`, "a JSON pointer as a URI fragment", text);
  if (parameter !== undefined && typeof parameter !== "string")
    return differs(`${at}/parameter`, "the name of a parameter", text);
  return other === undefined ? null : differs(`${at}/${other}`, "pointer or parameter, detail and nothing else", text);
}

function wellFormed(view: View): Difference | null {
  const faults = faultsOf(view);
  if (faults.length === 0) return differs("body:/errors", "a list of faults that is not empty", view.shown);
  return firstOf(faults.entries(), ([index, fault]) => faultDifference(fault, `body:/errors/${index}`));
}

function atMost(view: View): Difference | null {
  const most = view.contract.limits.faults;
  const { length } = faultsOf(view);
  return length > most ? differs("body:/errors", `at most ${most} faults`, String(length)) : null;
}

/** An unknown member is reported at its parent, with the names that are allowed there, and never by its own name. */
function unnamed(view: View): Difference | null {
  const { request, operation, text, exchange } = view;
  const [word] = CANARY.exec(request.target + request.body) ?? [];
  if (word !== undefined && text.includes(word))
    return differs("body:/errors", `nothing of the name ${word}`, excerpt(text));
  const known = Object.keys(operation?.input ?? {});
  return firstOf(exchange.prediction?.strangerAt ?? [], ({ place, allowed }) => {
    const names = allowed ?? known;
    const says = (fault: unknown) => names.every((name) => String(Object(fault).detail).includes(name));
    return faultsOf(view).some((fault) => Object(fault).pointer === place && says(fault))
      ? null
      : differs("body:/errors", `a fault at ${place} that names ${names.join(" and ") || "nothing"}`, excerpt(text));
  });
}

export const inputLaws: readonly ViewLaw[] = [
  law("errors/invalid-input", isInvalidInput, wellFormed),
  law("errors/at-most-20", isInvalidInput, atMost),
  law("input/unknown-not-named", (view) => isInvalidInput(view) && view.operation !== null, unnamed),
];
