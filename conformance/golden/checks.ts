import { check, type TargetCheck } from "../checks/check.ts";
import type { Api } from "../client/api.ts";
import { special } from "../client/credentials.ts";
import { Expectation, Stopped, Withheld } from "../client/expectation.ts";
import { harmOfCodes } from "../client/harm.ts";
import { send } from "../client/send.ts";
import { goldens } from "./goldens.ts";
import { codeOf, match } from "./match.ts";
import { wireOfGolden } from "./message.ts";
import type { Golden, GoldenExchange } from "./read.ts";
import { type Source, Values } from "./values.ts";

/** The golden exchanges as checks: responses of a deployment are compared with hand-written ones, not with the oracle. */

const sourceOf = (api: Api): Source => ({
  base: api.url,
  platform: api.platform,
  keyOf: (name) => new Map(Object.entries({ key: { key: api.key }, ...api.credentials.special })).get(name)?.key,
  email: (shape) => api.email(shape),
});

async function runExchange(api: Api, { request, responses }: GoldenExchange, values: Values): Promise<void> {
  values.begin();
  const { target, ...wire } = wireOfGolden(request, values, api.host);
  // An absolute address has the path prefix of the deployment already; all else is below it.
  const reply = await send(api, {
    ...wire,
    target: target.startsWith("/") ? target : target.replace(api.path(""), ""),
  });
  if (!reply) throw new Expectation("connection", `a response: ${responses[0]?.status}`, "none");
  match(reply, responses, values);
}

/** A proxy in front may count a path prefix, and may add header fields: what just fits the head may then be too much. */
const isBehindProxy = (api: Api) => api.path("") !== "" || api.url.startsWith("https:");

/** Scenarios that this run may not, or cannot, try. */
const isLeftOut = (api: Api, { exchanges }: Golden): boolean =>
  exchanges.some(
    ({ request: { target, headers }, responses }) =>
      (responses.some(({ status }) => status === 201) && api.usersLeft === 0) ||
      (responses.some(({ status }) => status < 300) &&
        isBehindProxy(api) &&
        [target, ...headers.map(String)].some((part) => part.includes(" up to "))),
  );

/** Why this run may not send a scenario; null if it may. A wrong server could carry out a request that it must reject. */
function withheldFrom(api: Api, { exchanges }: Golden): Withheld | null {
  if (!api.mayWrite && exchanges.some(({ request }) => request.body?.includes('"data"')))
    return new Withheld("the data of a command", "write");
  const codes = exchanges.flatMap(({ responses }) => responses.map(codeOf));
  const harm = api.mayHarm ? null : harmOfCodes(codes.map(String));
  return harm === null ? null : new Withheld(harm);
}

async function runScenarios(api: Api, scenarios: readonly Golden[]): Promise<void> {
  let withheld: Withheld | null = null;
  let sent = 0;
  for (const golden of scenarios.filter((one) => !isLeftOut(api, one))) {
    const values = new Values(sourceOf(api));
    const reason = withheldFrom(api, golden);
    withheld = reason ?? withheld;
    if (reason) continue;
    try {
      for (const exchange of golden.exchanges) await runExchange(api, exchange, values);
      sent += 1;
    } catch (error) {
      if (error instanceof Expectation) throw error.in(golden.shows);
      if (!(error instanceof Withheld)) throw error;
      withheld = error;
    }
  }
  if (sent === 0) throw withheld ?? new Stopped("this run may send none of its exchanges");
}

/** The credentials that some of the scenarios use, in addition to those of every run. */
function needsOf(scenarios: readonly Golden[]) {
  const text = JSON.stringify(scenarios);
  return special.filter((name) => text.includes(`{${name}}`));
}

/** A check for each requirement that has golden exchanges. */
export const goldenChecks: readonly TargetCheck[] = [...new Set(goldens.map(({ requirement }) => requirement))].map(
  (id) => {
    const scenarios = goldens.filter(({ requirement }) => requirement === id);
    const options = { decided: true, brief: true, needs: needsOf(scenarios) };
    return check(`${id}#golden`, options, (api) => runScenarios(api, scenarios));
  },
);
