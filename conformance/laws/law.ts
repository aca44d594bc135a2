import type { Difference, Law, Memory } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { differing } from "./difference.ts";
import { print, type View, type Views, viewsOf } from "./view.ts";

/** A law as it is written: of the view of an exchange. It is checked only where it applies. */
export interface ViewLaw {
  readonly id: string;
  readonly applies: (view: View) => boolean;
  readonly check: (view: View, memory: Memory) => Difference | null;
}

export const law = (id: string, applies: ViewLaw["applies"], check: ViewLaw["check"]) => ({
  id,
  applies,
  check,
});

export const always = () => true;

/** Laws of exchanges, of those of `laws` that are requirements of the contract. */
export function lawsFrom(
  contract: Contract,
  laws: readonly ViewLaw[],
  views: Views = viewsOf(contract),
): readonly Law[] {
  const known = new Set(contract.requirements.map(({ id }) => id));
  return laws
    .filter(({ id }) => known.has(id))
    .map(({ id, applies, check }) => ({
      id,
      applies: (exchange) => {
        const view = views(exchange);
        return view !== null && applies(view);
      },
      check: (exchange, memory) => {
        const view = views(exchange);
        return view && check(view, memory);
      },
    }));
}

/** Whether it is a success as predicted, 304 included. */
export const isSuccess = ({ exchange: { prediction }, request, status }: View): boolean =>
  prediction?.code === null &&
  request.method !== "OPTIONS" &&
  (status === 304 || (status >= 200 && status < 300));

/** The same, with a body of which nothing was left out. */
export const hasContent = (view: View): boolean =>
  isSuccess(view) && !view.isHead && view.status !== 304 && view.response.omitted === 0;

/** With a JSON object as that body. */
export const hasObject = (view: View): boolean => hasContent(view) && view.object !== null;

/** Whether a response of this operation is such a one. */
export const isOf =
  (id: string, applies: ViewLaw["applies"] = always): ViewLaw["applies"] =>
  (view) =>
    view.operation?.id === id && applies(view);

/** For a body that is repeated: the law sees it the first time. */
export const once = ({ id, applies, check }: ViewLaw): ViewLaw =>
  law(id, applies, (view, memory) => {
    const last = `${id}: the last ${view.mediaType} of ${view.place}`;
    if (memory.get(last) === view.print) return null;
    const found = check(view, memory);
    if (!found) memory.set(last, view.print);
    return found;
  });

/** Two responses with the same thing must agree: the difference of a later one from the first. */
export function agree(
  memory: Memory,
  thing: string,
  value: string,
  aspect = "body",
): Difference | null {
  const text = print(value);
  const before = memory.get(thing) ?? text;
  memory.set(thing, before);
  return before === text
    ? null
    : differing(aspect, before, text, `${thing} as in another response, `);
}
