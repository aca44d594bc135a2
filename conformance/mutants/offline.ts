import { Api } from "../client/api.ts";
import { special } from "../client/credentials.ts";
import { createSession } from "../client/session.ts";
import { parseTarget } from "../client/wire/target.ts";
import { askingOf, listOf } from "../lists/list.ts";
import { ours } from "../lists/ours.ts";
import type { Request, World } from "../oracle/world.ts";
import { checks } from "../suite.ts";

/** Every request of every list, of a run that never sends: it needs no deployment, only the state of one. */
export function offline(): { readonly requests: readonly Request[]; readonly world: World } {
  const key = (name: string) => `atp_${Buffer.from(name).toString("hex").padEnd(48, "0a1b2c3d4e5f").slice(0, 48)}`;
  const one = (name: string) => ({ key: key(name), platform: name === "otherPlatform" ? "another" : "web" });
  const session = createSession(
    {
      ...{ target: parseTarget("http://127.0.0.1:1"), runId: "0123456789abcdef", seed: 1, timeoutMs: 1 },
      credentials: { full: one("full"), special: Object.fromEntries(special.map((name) => [name, one(name)])) },
      ...{ mayWrite: true, mayHarm: true, onUser: () => {}, oracle: ours },
    },
    new AbortController().signal,
  );
  const api = new Api(session, { origin: "decided", rateLimited: false });
  const { model } = api;
  for (const { id, example } of Object.values(ours.contract.operations)) model.examples.set(id, example);
  // For a templated operation two names exist: that of its example, and another.
  for (const { id, pattern, name, example, parts } of Object.values(ours.contract.operations))
    if (pattern !== null) {
      const named = (part: unknown) => name.replace(`{${parts[0]}}`, String(part));
      model.names.set(id, new Set([named(example[parts[0] ?? ""]), named("another")]));
    }
  const lists = new Set(checks.flatMap((check) => listOf(check) ?? []));
  const requests = [...lists].flatMap((list) => [...list(askingOf(api))].map(([, request]) => request));
  return { requests, world: model };
}
