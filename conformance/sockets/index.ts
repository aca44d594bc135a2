import { excerpt } from "../laws/difference.ts";
import type { Contract } from "../oracle/contract.ts";
import type { Script } from "../run/state.ts";
import { stayingAlive } from "./alive.ts";
import { bytes } from "./bytes.ts";
import { framing, uploads } from "./framing.ts";
import { rateLimits } from "./rate-limits.ts";
import { script, simple } from "./requests.ts";
import { timeouts } from "./timeouts.ts";

/** `/.well-known/security.txt` (D11, RFC 9116), where there is one: no prediction knows whether there is. */
const securityTxt: Script = script(
  "security.txt",
  "http/security-txt",
  "read",
  async function* (talk) {
    const exchange = await talk.exchange({
      ...simple(talk.run),
      target: "/.well-known/security.txt",
    });
    const { response, error } = exchange;
    talk.exercised();
    if (!response) return yield talk.differs(exchange, "connection", "a response", error ?? "none");
    if (response.status === 404) return yield* talk.compared(exchange, false);
    const text = response.body.toString();
    const isText = response.fields.some(
      ([name, value]) => /^content-type$/i.test(name) && /^text\/plain\b/i.test(value),
    );
    const values = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)`, "gim"))].map(([, one]) => one);
    const [expires = "", ...more] = values("expires");
    const found = `${response.status} ${excerpt(text)}`;
    if (response.status !== 200 || !isText)
      yield talk.differs(exchange, "status", "200 text/plain, or 404", found);
    else if (values("contact").length === 0)
      yield talk.differs(exchange, "body", "a field Contact", found);
    else if (more.length > 0 || !(Date.parse(expires) > Date.now()))
      yield talk.differs(exchange, "body", "one field Expires, with a time to come", found);
  },
);

/** What needs sockets, many connections or time, for any contract: the scripts of its requirements. */
export const socketScripts = (contract: Contract): readonly Script[] =>
  known(contract, [...timeouts, ...uploads, ...framing, ...bytes, ...stayingAlive, securityTxt]);

/** Played last: they leave a caller without calls. */
export const limitScripts = (contract: Contract): readonly Script[] => known(contract, rateLimits);

function known(contract: Contract, scripts: readonly Script[]): readonly Script[] {
  const ids = new Set(contract.requirements.map(({ id }) => id));
  return scripts.filter(({ requirements }) => requirements.every((id) => ids.has(id)));
}
