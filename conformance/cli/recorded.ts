import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { noGateway } from "../http/gateway.ts";
import { readHar } from "../recorded/har.ts";
import { type Entry, readJsonLines } from "../recorded/json-lines.ts";
import { type ReplayOptions, replay } from "../recorded/replay.ts";
import type { ReportData } from "../report/json.ts";
import { type About, createReport } from "../report/report.ts";
import type { Suite } from "../run/state.ts";

/** The entries of a file: a HAR by its name, or since it begins with its log. Throws if it cannot be read. */
function entriesOf(file: string): AsyncIterable<Entry> {
  const descriptor = openSync(file, "r");
  const start = Buffer.alloc(200);
  const isHar =
    /\.har$/i.test(file) || /^\ufeff?\s*\{\s*"log"/.test(start.toString("utf8", 0, readSync(descriptor, start)));
  closeSync(descriptor);
  const stream = createReadStream(file);
  return isHar
    ? readHar(stream)
    : readJsonLines(createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }));
}

/** Compares recorded traffic with the contract. Rejects if the file is broken. */
export async function recordedReport(
  suite: Suite,
  file: string,
  options: ReplayOptions,
  about: Pick<About, "program" | "contractFile" | "command">,
): Promise<ReportData> {
  const startedAt = new Date();
  const { verdict, exitCode, counts, results, outcomes } = await replay(suite, options, entriesOf(file));
  const { compared } = counts;
  const credentials = options.credentials ?? { full: { key: "", platform: "" }, special: {} };
  return createReport(
    {
      ...{ runId: "", version: null, fault: null, verdict, exitCode, outcomes, results, compared, planned: compared },
      ...{ requests: { supertest: 0, socket: 0, conversation: 0 }, stale: [], unneeded: [], created: [] },
    },
    {
      ...{ ...about, suite, startedAt, durationMs: Date.now() - startedAt.getTime(), remarks: [], removal: null },
      options: { ...options, credentials, gateway: noGateway, seed: 0, mayWrite: true, mayHarm: true },
      recorded: counts,
      alone: () => "",
    },
  );
}
