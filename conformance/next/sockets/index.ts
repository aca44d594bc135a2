import type { Contract } from "../../oracle/contract.ts";
import type { Script } from "../run/state.ts";
import { stayingAlive } from "./alive.ts";
import { bytes } from "./bytes.ts";
import { framing } from "./framing.ts";
import { rateLimits } from "./rate-limits.ts";
import { securityTxt } from "./security-txt.ts";
import { timeouts } from "./timeouts.ts";
import { uploads } from "./uploads.ts";

/** What needs sockets, many connections or time, for any contract: the scripts of its requirements. */
export function socketScripts(contract: Contract): readonly Script[] {
  const known = new Set(contract.requirements.map(({ id }) => id));
  const all = [...timeouts, ...uploads, ...framing, ...bytes, ...stayingAlive, securityTxt, ...rateLimits];
  return all.filter(({ requirements }) => requirements.every((id) => known.has(id)));
}
