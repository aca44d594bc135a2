import { setTimeout as pause } from "node:timers/promises";
import { newId, Problem, type ReadPage } from "atpoint-server";
import type { Job, JobResult, NewJob, ProblemCode, Types } from "./generated/contract.ts";
import { countPrimes } from "./primes.ts";

type Filter = Types["job.list"]["input"];

const MOST = 100_000;

/** Between two steps of a job: requests are served meanwhile, and one of them may cancel it. */
const PAUSE_MS = 20;

const problem = (code: ProblemCode) => new Problem<ProblemCode>(code);

export type Jobs = ReturnType<typeof openJobs>;

/** The jobs of this process, carried out one after another: a restart forgets them. */
export function openJobs() {
  /** In the order of creation, which is that of their ids. */
  const jobs = new Map<string, Job>();
  const counts = new Map<string, number>();
  let lastEnd = Promise.resolve();

  function find(id: string): Job {
    const job = jobs.get(id);
    if (!job) throw problem("job-not-found");
    return job;
  }

  function change(id: string, members: Partial<Job>): Job {
    const job = { ...find(id), ...members };
    jobs.set(id, job);
    return job;
  }

  const isRunning = (id: string) => jobs.get(id)?.status === "running";

  async function carryOut({ id, limit }: Job): Promise<void> {
    if (jobs.get(id)?.status === "queued") change(id, { status: "running" });
    for (const { progress, count } of countPrimes(limit)) {
      if (!isRunning(id)) return;
      change(id, { progress });
      counts.set(id, count);
      await pause(PAUSE_MS);
    }
    if (isRunning(id)) change(id, { status: "done" });
  }

  return {
    add(given: NewJob, now: Date): Job {
      if (jobs.size >= MOST) throw problem("too-many-jobs");
      const createdAt = now.toISOString();
      const job: Job = { id: newId(), ...given, status: "queued", progress: 0, createdAt };
      jobs.set(job.id, job);
      lastEnd = lastEnd.then(() => carryOut(job));
      return job;
    },

    get: find,

    result(id: string): JobResult {
      if (find(id).status !== "done") throw problem("job-not-done");
      return { id, count: counts.get(id) ?? 0 };
    },

    cancel(id: string): Job {
      const { status } = find(id);
      if (status === "done" || status === "cancelled") throw problem("job-ended");
      return change(id, { status: "cancelled" });
    },

    remove(id: string): void {
      find(id);
      jobs.delete(id);
      counts.delete(id);
    },

    list:
      ({ label, status, minLimit = 0 }: Filter): ReadPage<Job> =>
      async ({ after, limit }) => {
        const matching = [...jobs.values()].filter(
          (job) =>
            (after === null || job.id > String(after)) &&
            (label === undefined || job.label?.startsWith(label)) &&
            (status === undefined || job.status === status) &&
            job.limit >= minLimit,
        );
        const items = matching.slice(0, limit);
        const last = items.at(-1)?.id ?? null;
        return { items: JSON.stringify(items), last, more: matching.length > limit };
      },
  };
}
