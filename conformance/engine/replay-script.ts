import { createRedactor } from "../client/redact/redact.ts";
import { curlLine } from "../client/wire/curl.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { Failure } from "../report/report.ts";

/** As long as a run's id: what counts the bytes of a request stays right. */
const FRESH = "RUN=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')";

/**
 * What a failure is seen again by: its steps, redacted, the guilty one last. In the place of the run's id stands `$RUN`, made anew
 * each time, so that addresses of users are fresh ones.
 */
export function replayOf(
  steps: readonly Exchange[],
  runId: string,
  secrets: readonly string[],
): Pick<Failure, "curl" | "script"> {
  const fresh = createRedactor([{ name: "RUN", value: runId }]);
  const lines = steps.map(({ request }) =>
    curlLine(fresh.exchange({ request, answer: null, error: null, durationMs: 0 }).request, [...secrets, "RUN"]),
  );
  const isFresh = (text: string) => text.includes('"$RUN"');
  const last = lines.at(-1) ?? "";
  const curl = isFresh(last) ? `${FRESH}; ${last}` : last;
  if (lines.length < 2) return { curl, script: null };
  const said = steps.map(
    ({ answer, error }, index) =>
      `# ${index + 1}${index === steps.length - 1 ? ", guilty" : ""}: ${answer ? `answered ${answer.status}` : oneLine(error ?? "no answer")}`,
  );
  const head = ["#!/bin/sh", ...(lines.some(isFresh) ? [FRESH] : [])];
  return { curl, script: `${[...head, ...lines.flatMap((line, index) => [said[index] ?? "", line])].join("\n")}\n` };
}

/** What may stand in a comment: a line feed would begin a command. */
const oneLine = (text: string) => text.replace(/[^\P{C}]/gu, " ");
