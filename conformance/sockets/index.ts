import { excerpt } from "../laws/difference.ts";
import type { Contract } from "../oracle/contract.ts";
import type { Script } from "../run/state.ts";
import { bytes } from "./bytes.ts";
import { framing, uploads } from "./framing.ts";
import { stayingAlive } from "./liveness.ts";
import { rateLimits } from "./rate-limits.ts";
import { script, simple } from "./requests.ts";
import { timeouts } from "./timeouts.ts";

/**
 * `/.well-known/security.txt` (D11, RFC 9116), where there is one: no prediction knows whether
 * there is.
 */
const securityTxt: Script = script(
  "security.txt",
  "http/security-txt",
  "read",
  async function* (context) {
    const exchange = await context.exchange({
      ...simple(context.run),
      target: "/.well-known/security.txt",
    });
    const { response, error } = exchange;
    context.exercised();
    if (!response)
      return yield context.differs(exchange, "connection", "a response", error ?? "none");
    if (response.status === 404) return yield* context.compared(exchange, false);
    const text = response.body.toString();
    const isText = response.fields.some(
      ([name, value]) => /^content-type$/i.test(name) && /^text\/plain\b/i.test(value),
    );
    const values = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)`, "gim"))].map(([, one]) => one);
    const [expires = "", ...repeated] = values("expires");
    const actual = `${response.status} ${excerpt(text)}`;
    if (response.status !== 200 || !isText)
      yield context.differs(exchange, "status", "200 text/plain, or 404", actual);
    else if (values("contact").length === 0)
      yield context.differs(exchange, "body", "a field Contact", actual);
    else if (repeated.length > 0 || !(Date.parse(expires) > Date.now()))
      yield context.differs(exchange, "body", "one field Expires, with a time to come", actual);
  },
);

/**
 * What needs sockets, many connections or time, for any contract: the scripts of its requirements.
 */
export const socketScripts = (contract: Contract): readonly Script[] =>
  known(contract, [...timeouts, ...uploads, ...framing, ...bytes, ...stayingAlive, securityTxt]);

/** Played last: they leave a caller without calls. */
export const limitScripts = (contract: Contract): readonly Script[] => known(contract, rateLimits);

function known(contract: Contract, scripts: readonly Script[]): readonly Script[] {
  const ids = new Set(contract.requirements.map(({ id }) => id));
  return scripts.filter(({ requirements }) => requirements.every((id) => ids.has(id)));
}
