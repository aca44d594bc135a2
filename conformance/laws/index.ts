import type { ExchangeLaw } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { credentialLaws } from "./credentials.ts";
import { dispatchLaws } from "./dispatch.ts";
import { headerLaws } from "./headers.ts";
import { lawsFrom } from "./law.ts";
import { leakLaws } from "./leaks.ts";
import type { ExchangeParser } from "./parsed-exchange.ts";
import { problemLaws } from "./problems.ts";
import { answerLaws, framingLaws } from "./representations.ts";
import { tagsOf } from "./tags.ts";

const LAWS = [
  answerLaws,
  credentialLaws,
  dispatchLaws,
  framingLaws,
  headerLaws,
  leakLaws,
  problemLaws,
].flat();

/**
 * What holds of every response of any service, by the clauses of the protocol. A memory belongs to
 * one run; all laws may share it. `parse`: of the suite, where the laws of its extensions use them
 * too.
 */
export const lawsOf = (contract: Contract, parse?: ExchangeParser): readonly ExchangeLaw[] =>
  lawsFrom(contract, [...LAWS, ...tagsOf(contract)], parse);
