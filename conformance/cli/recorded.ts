import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { noGateway } from "../http/gateway.ts";
import { type Entry, readJsonLines } from "../recorded/entries.ts";
import { readHar } from "../recorded/har.ts";
import { NO_CREDENTIALS, type ReplayOptions, replay } from "../recorded/replay.ts";
import { createReport } from "../report/report.ts";
import type { Suite } from "../run/state.ts";
import { type Io, type Reporting, written } from "./check-target.ts";
import { openFiles } from "./files.ts";
import { messageOf, UsageError } from "./usage.ts";

/** The entries of a file: a HAR by its name, or since it begins with its log. Throws if it cannot be read. */
async function* entriesOf(file: string): AsyncIterable<Entry> {
  const descriptor = openSync(file, "r");
  const start = Buffer.alloc(200);
  const isHar =
    /\.har$/i.test(file) || /^\ufeff?\s*\{\s*"log"/.test(start.toString("utf8", 0, readSync(descriptor, start)));
  closeSync(descriptor);
  const stream = createReadStream(file);
  yield* isHar ? readHar(stream) : readJsonLines(stream);
}

/** Compares recorded traffic with the contract, and writes the reports. Resolves with the exit code. */
export async function checkRecorded(
  suite: Suite,
  file: string,
  options: ReplayOptions,
  io: Io,
  { detail, files, ...about }: Reporting,
): Promise<number> {
  openFiles(files);
  const startedAt = new Date();
  // A broken file is an error of the user.
  const replayed = await replay(suite, options, entriesOf(file)).catch((error: unknown) => {
    throw new UsageError(`--recorded ${file}: ${messageOf(error)}`);
  });
  const { counts, ...result } = replayed;
  const credentials = options.credentials ?? NO_CREDENTIALS;
  const report = createReport(
    {
      ...{ runId: "", version: null, fault: null, ...result, stale: [], unneeded: [], created: [] },
      requests: { supertest: 0, socket: 0, conversation: 0 },
    },
    {
      ...{ ...about, suite, startedAt, durationMs: Date.now() - startedAt.getTime(), remarks: [], removal: null },
      options: { ...options, credentials, gateway: noGateway, seed: 0, mayWrite: true, mayHarm: true },
      recorded: counts,
      alone: () => "",
    },
  );
  return written(report, { detail, files }, io);
}
