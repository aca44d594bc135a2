import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { Api } from "../../client/api.ts";
import { secretsOf } from "../../client/credentials.ts";
import { createSession } from "../../client/session.ts";
import { parseTarget } from "../../client/wire/target.ts";
import { judgeExchanges } from "../../engine/judge.ts";
import { ours } from "../../lists/ours.ts";
import { startProxy } from "../../mutants/proxy/server.ts";
import { overAll } from "../../mutants/trial.ts";
import type { RunningService } from "../../test/service.test-kit.ts";
import { aging } from "../age.ts";
import { combined, histories } from "../index.ts";
import type { Broken } from "./words.ts";

/** Milliseconds for one request: a broken server may hang. */
const TIMEOUT_MS = 6_000;

/** A view of this target as in a separate run. */
export function sessionApi(url: string, { credentials }: RunningService, seed: number, name: string): Api {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const options = { mayWrite: true, mayHarm: true, onUser: () => {}, oracle: ours, seed, timeoutMs: TIMEOUT_MS };
  const runId = createHash("sha256").update(`${seed} ${name}`).digest("hex").slice(0, 16);
  const session = createSession({ ...options, target: parseTarget(url), credentials, runId }, signal);
  return new Api(session, { origin: "decided", rateLimited: false });
}

/** The first finding, about a wanted requirement, of a run of all histories against such a broken deployment; null without one. */
export async function find(
  [id, hooks]: Broken,
  service: RunningService,
  seed: number,
  isWanted = (_requirement: string) => true,
): Promise<string | null> {
  const proxy = await startProxy(hooks, service.url, 0, { credentials: service.credentials.full });
  const api = sessionApi(proxy.url, service, seed, id);
  try {
    for (const family of [histories, combined, aging])
      for await (const { finding } of family(api))
        if (finding && isWanted(finding.by)) return `${finding.by}: ${finding.expectation.message}`;
    const recorded = api.exchanges.map((exchange) => ({ check: null, exchange }));
    for (const law of overAll) {
      const { outcome, expectation } = await judgeExchanges(law, recorded, secretsOf(service.credentials), api.model);
      if (outcome === "failed" && isWanted(law.requirement)) return `${law.id}: ${expectation?.message}`;
    }
    if (proxy.faults.length > 0) throw new Error(`${id}: a hook threw`, { cause: proxy.faults[0] });
    return null;
  } finally {
    await proxy.close();
  }
}
