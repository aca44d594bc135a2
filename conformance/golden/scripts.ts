import type { Exchange, Finding } from "../exchange.ts";
import { Withheld } from "../http/gateway.ts";
import type { Contract } from "../oracle/contract.ts";
import { reasonAgainst } from "../run/effects.ts";
import { compared } from "../run/exchange.ts";
import type { Run, Script } from "../run/state.ts";
import { endpoint } from "./endpoint.ts";
import { differenceFrom } from "./expected.ts";
import { type Golden, type GoldenText, readGolden } from "./read.ts";
import { kindsIn, Values } from "./values.ts";

/** Codes of rejections that no client causes by itself. */
const HOSTILE = /^(?:(?:content|headers)-too-large|uri-too-long|malformed-.*|expectation-failed|credentials-invalid)$/;

const responsesOf = ({ exchanges }: Golden) => exchanges.flatMap(({ responses }) => responses);

/** The names of a query and of a command, by their placeholders, as far as a contract has them. */
export function callsOf({ operations }: Contract): ReadonlyMap<string, string> {
  const all = Object.values(operations).filter(({ pattern }) => pattern === null);
  const queries = all.filter(({ method }) => method === "GET");
  const query = queries.find(({ auth }) => !auth) ?? queries[0];
  const command = all.find(({ method }) => method === "POST");
  return new Map(Object.entries({ query, command }).flatMap(([name, one]) => (one ? [[name, one.name]] : [])));
}

/** The scenarios of a contract: those that reach no operation, and of the texts of its extensions those that are about it. */
export function goldensOf(contract: Contract, texts: readonly GoldenText[]): readonly Golden[] {
  const known = new Set(contract.requirements.map(({ id }) => id));
  const calls = callsOf(contract);
  const lacking = ["{query}", "{command}"].filter((name) => !calls.has(name.slice(1, -1)));
  return [endpoint, ...texts]
    .flatMap(readGolden)
    .filter(({ requirement }) => known.has(requirement))
    .filter((one) => responsesOf(one).every(({ operation: id }) => id === null || id in contract.operations))
    .filter((one) => !lacking.some((name) => JSON.stringify(one).includes(name)));
}

/**
 * A script for each scenario. Every response is compared with the written one, never with what the oracle predicts: that is for
 * laws, and for what a run learns.
 */
export const goldenScripts = (contract: Contract, texts: readonly GoldenText[] = []): readonly Script[] =>
  goldensOf(contract, texts).map((golden, index) => {
    const isHostile = responsesOf(golden).some(({ code }) => HOSTILE.test(code ?? ""));
    const isWriting = golden.exchanges.some(({ request }) => request.body.includes('"data"'));
    return {
      id: `golden ${golden.requirement} ${golden.title.replace(/\.$/, "")}`,
      requirements: [golden.requirement],
      effect: isHostile ? "hostile" : isWriting ? "write" : "read",
      isSmoke: true,
      needs: kindsIn(JSON.stringify(golden)),
      run: (run) => played(run, golden, index),
    };
  });

function valuesOf({ options: { target, credentials }, runId, suite }: Run, index: number): Values {
  const { full, special } = credentials;
  const keys = Object.entries(special).map(([kind, { key }]) => [`key ${kind}`, key] as const);
  const own = Object.entries({ base: target.origin, platform: full.platform, key: full.key });
  // The numbers of other values of the run do not begin with 0.
  const mark = `conformance+${runId}-0${index}`;
  return new Values({ host: target.host, mark, values: new Map([...callsOf(suite.oracle.contract), ...own, ...keys]) });
}

/** Sends the requests of a scenario one after the other, up to the first response that is wrong. */
async function* played(run: Run, golden: Golden, index: number): AsyncGenerator<Finding> {
  const { oracle } = run.suite;
  const values = valuesOf(run, index);
  const exchanges: Exchange[] = [];
  const { requirement } = golden;
  for (const written of golden.exchanges) {
    const request = values.request(written.request);
    const prediction = oracle.predict(request, run.world);
    const reason = reasonAgainst(run, request, prediction);
    if (reason !== null) throw new Withheld(reason);
    const { exchange, findings } = await compared(run, request, prediction);
    exchanges.push(exchange);
    const place = { exchanges: [...exchanges], at: exchanges.length - 1, case: null };
    const difference = differenceFrom(exchange, written, oracle.contract, values);
    if (difference) yield { requirement, source: "golden", ...difference, ...place };
    // What both find is of the golden exchange.
    for (const one of findings) if (!difference || one.source !== "prediction") yield { ...one, ...place };
    if (difference) return;
  }
}
