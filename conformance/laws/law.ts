import type { Difference, ExchangeLaw, Memory } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { firstDifference } from "./difference.ts";
import {
  type ExchangeParser,
  exchangeParserFor,
  type ParsedExchange,
  print,
} from "./parsed-exchange.ts";

/** What holds of every response that it is about. */
export interface Law extends Pick<ExchangeLaw, "id" | "isTag"> {
  /** Whether the law is about this exchange. */
  readonly applies: (parsed: ParsedExchange) => boolean;
  /**
   * Returns what is wrong with the response, null if nothing is. Called only where it applies.
   * `memory`: of all laws of this run; its names are sentences, so that they do not clash.
   */
  readonly check: (parsed: ParsedExchange, memory: Memory) => Difference | null;
}

/** A law of a requirement of this id. */
export const law = (id: string, applies: Law["applies"], check: Law["check"]) => ({
  id,
  applies,
  check,
});

export const always = () => true;

/** Laws of exchanges, of those of `laws` that are requirements of the contract. */
export function lawsFrom(
  contract: Contract,
  laws: readonly Law[],
  parse: ExchangeParser = exchangeParserFor(contract),
): readonly ExchangeLaw[] {
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
  (id: string, applies: Law["applies"] = always): Law["applies"] =>
  (parsed) =>
    parsed.operation?.id === id && applies(parsed);

/** For a body that is repeated: the law sees it the first time. */
export const once = ({ id, applies, check }: Law): Law =>
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
