import type { ReportData, ReportedRequirement } from "./json.ts";
import { foundBy, linesOf } from "./lines.ts";
import { type Example, examplesOf } from "./summary.ts";
import { oneLine, visible } from "./text.ts";

/** A place that GitHub and editors show: the requirement in the specification, or else the contract. */
const SPECIFICATION = "SPECIFICATION";
const LEVELS = { MUST: "error", SHOULD: "warning", MAY: "note" } as const;

/** SARIF 2.1.0 (OASIS), one result for each cause: the rule is the requirement. */
export function toSarif(report: ReportData): string {
  const { suite, contract, target, run, exitCode, summary, faults, requirements } = report;
  const failed = requirements.filter(({ outcome }) => outcome === "failed");
  const rules = failed.map(({ id, level, origin, clause, sentence }) => ({
    ...{ id, shortDescription: { text: visible(sentence || id) } },
    ...{ defaultConfiguration: { level: LEVELS[level] }, properties: { level, origin, clause } },
  }));
  const invocation = {
    ...{ executionSuccessful: faults.length === 0 && report.stopped === null, exitCode },
    ...{
      exitCodeDescription: visible(summary),
      commandLine: visible(run.command),
      startTimeUtc: run.startedAt,
    },
    endTimeUtc: new Date(Date.parse(run.startedAt) + run.durationMs).toISOString(),
    toolExecutionNotifications: faults.map((fault) => ({
      level: "error",
      message: { text: visible(fault) },
    })),
  };
  const ran = {
    tool: { driver: { name: suite.name, semanticVersion: suite.version, rules } },
    automationDetails: { id: `${suite.name}/${oneLine(target.url)}/` },
    invocations: [invocation],
    originalUriBaseIds: {
      [SPECIFICATION]: { description: { text: "The folder of the specification" } },
    },
    columnKind: "utf16CodeUnits",
    results: examplesOf(report, Number.POSITIVE_INFINITY).flatMap((example) =>
      resultOf(example, report, failed),
    ),
    properties: { summary: visible(summary), contract, target: target.url, seed: run.seed },
  };
  const $schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
  return `${JSON.stringify({ $schema, version: "2.1.0", runs: [ran] }, null, 2)}\n`;
}

function resultOf(
  { title, requirements, first }: Example,
  report: ReportData,
  failed: readonly ReportedRequirement[],
) {
  const requirement = failed.find(({ id }) => id === first.requirement);
  if (!requirement) return [];
  const { id, level, location } = requirement;
  const lines = linesOf(first, report, { without: ["in"] }).map((line) => line.join(": "));
  const physicalLocation = location
    ? {
        artifactLocation: { ...uriOf(location.file), uriBaseId: SPECIFICATION },
        region: { startLine: location.line },
      }
    : { artifactLocation: uriOf(report.contract.file) };
  const result = {
    ...{ ruleId: id, ruleIndex: failed.indexOf(requirement), level: LEVELS[level] },
    ...{
      message: { text: [visible(title), ...lines].join("\n") },
      locations: [{ physicalLocation }],
    },
    partialFingerprints: { "requirement/v1": id, "case/v1": foundBy(first) },
    properties: { requirements },
  };
  return [result];
}

const uriOf = (file: string) => ({ uri: file.split(/[/\\]/).map(encodeURIComponent).join("/") });
