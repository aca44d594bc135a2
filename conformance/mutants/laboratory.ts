import { pool } from "../engine/judge-all.ts";
import { type RunningService, startService } from "../test/service.test-kit.ts";

/** More users than a page has by default, so that a wrong default shows. */
const SEEDED = 120;
/** Mutants, or checks, after which the service is a new one: lists of thousands would take the time. */
const ITEMS_PER_SERVICE = 400;

async function seed({ url, credentials }: RunningService): Promise<void> {
  const { key, platform } = credentials.full;
  const headers = { "X-API-KEY": key, "X-PLATFORM": platform, "Content-Type": "application/json" };
  for (let n = 0; n < SEEDED; n += 1) {
    const data = { name: `Seed ${n}`, email: `seed-${n}@example.com` };
    const body = JSON.stringify({ "@": "user.create", data });
    const { status } = await fetch(`${url}/api/`, { method: "POST", headers, body });
    if (status !== 201) throw new Error(`a user could not be created: ${status}`);
  }
}

/** The real service in a process of its own, with users in it. */
export async function seededService(): Promise<RunningService> {
  const service = await startService();
  await seed(service);
  return service;
}

/** Does the work for every item on a right service, `width` at a time. */
export type Bench = <T>(
  items: readonly T[],
  width: number,
  work: (item: T, service: RunningService) => Promise<void>,
) => Promise<void>;

/** On this service: for no more than some hundred items. */
export const onService =
  (service: RunningService): Bench =>
  (items, width, work) =>
    pool(items, width, (item) => work(item, service));

/** On a service that is a new one after some hundred of them. */
export const onServices: Bench = async (items, width, work) => {
  for (let at = 0; at < items.length; at += ITEMS_PER_SERVICE) {
    const service = await seededService();
    try {
      await onService(service)(items.slice(at, at + ITEMS_PER_SERVICE), width, work);
    } finally {
      await service.stop();
    }
  }
};
