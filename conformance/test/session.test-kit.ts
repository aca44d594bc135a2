import { Api } from "../client/api.ts";
import { createSession } from "../client/session.ts";
import { parseTarget } from "../client/wire/target.ts";
import { KEY } from "./deployment.test-kit.ts";

/** A check's view of a target, without a run around it. */
export function apiFor(
  url: string,
  { timeoutMs = 5000, mayWrite = true, stop = new AbortController().signal } = {},
): Api {
  const credentials = { full: { key: KEY, platform: "web" }, special: {} };
  const options = {
    target: parseTarget(url),
    credentials,
    runId: "test",
    seed: 1,
    timeoutMs,
    mayWrite,
    onUser: () => {},
  };
  return new Api(createSession(options, stop), { origin: "decided", rateLimited: false });
}
