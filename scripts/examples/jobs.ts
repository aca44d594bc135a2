import type { Defect } from "./defect.ts";

/** Nine of them are about records. */
export const defects: readonly Defect[] = [
  {
    what: "a job has no label",
    file: "jobs.ts",
    text: "{ id: newId(), ...given,",
    by: "{ id: newId(), limit: given.limit,",
    requirement: "effects/created",
  },
  {
    what: "a label is found in any case",
    file: "jobs.ts",
    text: "job.label?.startsWith(label)",
    by: "job.label?.toLowerCase().startsWith(label.toLowerCase())",
    requirement: "effects/filter",
  },
  {
    what: "a deleted job is still there",
    file: "jobs.ts",
    text: "      jobs.delete(id);\n",
    by: "",
    requirement: "effects/deleted",
  },
  {
    what: "a rejected command changes the job",
    file: "jobs.ts",
    text: 'if (status === "done" || status === "cancelled") throw problem("job-ended");',
    by: `if (status === "done" || status === "cancelled") {
        change(id, { label: "ended" });
        throw problem("job-ended");
      }`,
    requirement: "effects/rejected-unchanged",
  },
  {
    what: "a label is read in small letters",
    file: "jobs.ts",
    text: "    get: find,",
    by: "    get: (id: string): Job => ({ ...find(id), label: find(id).label?.toLowerCase() }),",
    requirement: "effects/read",
  },
  {
    what: "a cancelled job is counted less far",
    file: "jobs.ts",
    text: 'return change(id, { status: "cancelled" });',
    by: 'return change(id, { status: "cancelled", limit: 0 });',
    requirement: "effects/updated",
  },
  {
    what: "jobs without a label are not listed",
    file: "jobs.ts",
    text: "(label === undefined || job.label?.startsWith(label))",
    by: '(job.label ?? "").startsWith(label ?? "") && job.label !== undefined',
    requirement: "effects/listed",
  },
  {
    what: "the newest job comes first on a page",
    file: "jobs.ts",
    text: "JSON.stringify(items)",
    by: "JSON.stringify(items.toReversed())",
    requirement: "effects/order",
  },
  {
    what: "a repeated call accepts another job",
    file: "handlers.ts",
    text: "once({ record: ({ id }) => id }, async () => services.jobs.add(input, now()))",
    by: "services.jobs.add(input, now())",
    requirement: "idempotency/replayed",
  },
  {
    what: "a job may be more than done",
    file: "primes.ts",
    text: "yield { progress: 100,",
    by: "yield { progress: 101,",
    requirement: "answers/schema",
  },
];
