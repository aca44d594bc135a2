import type { Difference, Law, Memory } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { firstDifference } from "./difference.ts";
import {
  type ExchangeParser,
  exchangeParserFor,
  type ParsedExchange,
  print,
} from "./parsed-exchange.ts";

/** A law as it is written: of a parsed exchange. It is checked only where it applies. */
export interface ViewLaw extends Pick<Law, "id" | "isTag"> {
  readonly applies: (parsed: ParsedExchange) => boolean;
  readonly check: (parsed: ParsedExchange, memory: Memory) => Difference | null;
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
  parse: ExchangeParser = exchangeParserFor(contract),
): readonly Law[] {
  const known = new Set(contract.requirements.map(({ id }) => id));
  return laws
    .filter(({ id }) => known.has(id))
    .map(({ applies, check, ...law }) => ({
      ...law,
      applies: (exchange) => {
        const parsed = parse(exchange);
        return parsed !== null && applies(parsed);
      },
      check: (exchange, memory) => {
        const parsed = parse(exchange);
        return parsed && check(parsed, memory);
      },
    }));
}

/** Whether it is a success as predicted, 304 included. */
export const isSuccess = ({ exchange: { prediction }, request, status }: ParsedExchange): boolean =>
  prediction?.code === null &&
  request.method !== "OPTIONS" &&
  (status === 304 || (status >= 200 && status < 300));

/** Whether it is a success with a body of which nothing was left out. */
export const hasContent = (parsed: ParsedExchange): boolean =>
  isSuccess(parsed) && !parsed.isHead && parsed.status !== 304 && parsed.response.omitted === 0;

/** Whether it is a success with a JSON object as its body. */
export const hasObject = (parsed: ParsedExchange): boolean =>
  hasContent(parsed) && parsed.object !== null;

/** Whether a response of this operation is such a one. */
export const isOf =
  (id: string, applies: ViewLaw["applies"] = always): ViewLaw["applies"] =>
  (parsed) =>
    parsed.operation?.id === id && applies(parsed);

/** For a body that is repeated: the law sees it the first time. */
export const once = ({ id, applies, check }: ViewLaw): ViewLaw =>
  law(id, applies, (parsed, memory) => {
    const last = `${id}: the last ${parsed.mediaType} of ${parsed.place}`;
    if (memory.get(last) === parsed.print) return null;
    const difference = check(parsed, memory);
    if (!difference) memory.set(last, parsed.print);
    return difference;
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
    : firstDifference(aspect, before, text, `${thing} as in another response, `);
}
