import { BOUND_MS } from "../../src/test/patience.ts";
import { Api } from "../client/api.ts";
import { Pace } from "../client/pace.ts";
import { createSession } from "../client/session.ts";
import { parseTarget } from "../client/wire/target.ts";
import { ours } from "../lists/ours.ts";
import { KEY } from "./deployment.test-kit.ts";

/** A check's view of a target, without a run around it. */
export function apiFor(
  url: string,
  {
    timeoutMs = BOUND_MS,
    mayWrite = true,
    mayHarm = true,
    brief = false,
    intervalMs = 0,
    stop = new AbortController().signal,
    origin = "decided" as "given" | "decided",
  } = {},
): Api {
  const credentials = { full: { key: KEY, platform: "web" }, special: {} };
  const options = {
    target: parseTarget(url),
    credentials,
    runId: "test",
    seed: 1,
    timeoutMs,
    mayWrite,
    mayHarm,
    brief,
    onUser: () => {},
    oracle: ours,
  };
  const session = { ...createSession(options, stop), pace: new Pace(intervalMs, stop) };
  return new Api(session, { origin, rateLimited: false });
}
