import { pool } from "../engine/judge-all.ts";
import { type RunningService, startService } from "../test/service.test-kit.ts";
import { creating } from "./requests.ts";
import type { Sender } from "./trial.ts";

/** More users than a default page has, so that a wrong default shows. */
const SEEDED = 120;
/** Mutants, or checks, after which a new service is started: lists of thousands would be slow. */
const ITEMS_PER_SERVICE = 2_000;

async function seed({ url, credentials }: RunningService): Promise<void> {
  const { key, platform } = credentials.full;
  const headers = { "X-API-KEY": key, "X-PLATFORM": platform, "Content-Type": "application/json" };
  for (const { name, example } of creating)
    for (let n = 0; n < SEEDED; n += 1) {
      const data = { ...example, email: `seed-${n}@example.com` };
      const body = JSON.stringify({ "@": name, data });
      const { status } = await fetch(`${url}/api/`, { method: "POST", headers, body });
      if (status !== 201) throw new Error(`${name} was rejected: ${status}`);
    }
}

/** The real service in a separate process, with users in it. */
export async function seededService(): Promise<RunningService> {
  const service = await startService();
  await seed(service);
  return service;
}

/** Runs the work for every item on a right service, `width` at a time. */
export type Bench = <T>(
  items: readonly T[],
  width: number,
  work: (item: T, service: RunningService) => Promise<void>,
) => Promise<void>;

/** On this service: for at most a few thousand items. */
export const onService =
  (service: RunningService): Bench =>
  (items, width, work) =>
    pool(items, width, (item) => work(item, service));

/** On a service that is replaced after a few thousand items. */
export async function onServices<R>(work: (bench: Bench) => Promise<R>): Promise<R> {
  let service = await seededService();
  let used = 0;
  const bench: Bench = async (items, width, each) => {
    for (let at = 0; at < items.length; ) {
      if (used >= ITEMS_PER_SERVICE) {
        await service.stop();
        service = await seededService();
        used = 0;
      }
      const some = items.slice(at, at + ITEMS_PER_SERVICE - used);
      await onService(service)(some, width, each);
      at += some.length;
      used += some.length;
    }
  };
  try {
    return await work(bench);
  } finally {
    await service.stop();
  }
}

/**
 * Number of parallel checks: those that only read, while nothing writes; those that write; those that need the target
 * exclusively; those that wait.
 */
export const lanes = [
  { width: 8, takes: ({ alone, slow, effect }: Sender) => !alone && !slow && effect === "read" },
  { width: 8, takes: ({ alone, slow, effect }: Sender) => !alone && !slow && effect !== "read" },
  { width: 4, takes: ({ alone, slow, effect }: Sender) => alone && !slow && effect === "hostile" },
  { width: 1, takes: ({ alone, slow, effect }: Sender) => alone && !slow && effect !== "hostile" },
  { width: 32, takes: ({ slow }: Sender) => slow },
] as const;
