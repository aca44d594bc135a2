import { Api } from "../client/api.ts";
import { Pace } from "../client/pace.ts";
import { createSession } from "../client/session.ts";
import { parseTarget } from "../client/wire/target.ts";
import { KEY } from "./deployment.test-kit.ts";

/** A check's view of a target, without a run around it. */
export function apiFor(
  url: string,
  { timeoutMs = 5000, mayWrite = true, mayHarm = true, intervalMs = 0, stop = new AbortController().signal } = {},
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
    onUser: () => {},
  };
  const session = { ...createSession(options, stop), pace: new Pace(intervalMs, stop) };
  return new Api(session, { origin: "decided", rateLimited: false });
}
