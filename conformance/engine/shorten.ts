import { type Exchange, firstBytes } from "../client/wire/exchange.ts";
import type { Judgement } from "./judge.ts";

/** Maximum bytes of one body that are kept for the report. */
const MOST_KEPT = 64 * 1024;
/** Total bytes of bodies after which only the beginning of each is kept: a report has to fit into memory, and be written soon. */
const MOST_IN_ALL = 16 * 1024 * 1024;
const BEGINNING = 1024;

/** For one run: keeps as much of the received bytes as a report can show. Reports state how much was omitted. */
export function createShortener(): (judgement: Judgement) => Judgement {
  let left = MOST_IN_ALL;
  const shorten = (exchange: Exchange): Exchange => {
    const { answer } = exchange;
    if (!answer) return exchange;
    const body = firstBytes(answer.body, left > 0 ? MOST_KEPT : BEGINNING);
    left -= body.length;
    return { ...exchange, answer: { ...answer, body } };
  };
  return (judgement) => {
    const { exchanges, decisive } = judgement;
    // For a passed check one exchange is enough.
    if (judgement.outcome === "passed") {
      const proof = decisive && shorten(decisive);
      return { ...judgement, exchanges: proof ? [proof] : [], decisive: proof };
    }
    const short = new Map(exchanges.map((one) => [one, shorten(one)]));
    return {
      ...judgement,
      exchanges: exchanges.map((one) => short.get(one) ?? one),
      decisive: decisive && (short.get(decisive) ?? decisive),
    };
  };
}
