import type { Contract } from "../oracle/contract.ts";
import type { Script } from "../run/state.ts";
import { stayingAlive } from "./alive.ts";
import { bytes } from "./bytes.ts";
import { framing } from "./framing.ts";
import { rateLimits } from "./rate-limits.ts";
import { securityTxt } from "./security-txt.ts";
import { timeouts } from "./timeouts.ts";
import { uploads } from "./uploads.ts";

/** What needs sockets, many connections or time, for any contract: the scripts of its requirements. */
export const socketScripts = (contract: Contract): readonly Script[] =>
  known(contract, [...timeouts, ...uploads, ...framing, ...bytes, ...stayingAlive, securityTxt]);

/** Played last: they leave a caller without calls. */
export const limitScripts = (contract: Contract): readonly Script[] => known(contract, rateLimits);

function known(contract: Contract, scripts: readonly Script[]): readonly Script[] {
  const ids = new Set(contract.requirements.map(({ id }) => id));
  return scripts.filter(({ requirements }) => requirements.every((id) => ids.has(id)));
}
