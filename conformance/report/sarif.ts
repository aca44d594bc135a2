import type { Cause, ReportData, ReportedRequirement } from "./json.ts";
import { findingsOf } from "./summary.ts";
import { linesOf, oneLine, visible } from "./text.ts";

/** A place that GitHub and editors show: the requirement in the specification, or else the contract. */
const SPECIFICATION = "SPECIFICATION";

const LEVELS = { MUST: "error", SHOULD: "warning", MAY: "note" } as const;

/** SARIF 2.1.0 (OASIS), one result for each cause: the rule is the requirement. */
export function toSarif(report: ReportData): string {
  const { suite, contract, target, run, exitCode, summary, faults, requirements, causes } = report;
  const failed = requirements.filter(({ outcome }) => outcome === "failed");
  const rules = failed.map(({ id, level, origin, clause, sentence }) => ({
    id,
    shortDescription: { text: visible(sentence || id) },
    defaultConfiguration: { level: LEVELS[level] },
    properties: { level, origin, clause },
  }));
  const notifications = faults.map((fault) => ({ level: "error", message: { text: visible(fault) } }));
  const isComplete = faults.length === 0 && report.stopped === null;
  const document = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: suite.name, semanticVersion: suite.version, rules } },
        automationDetails: { id: `${suite.name}/${oneLine(target.url)}/` },
        invocations: [
          {
            ...{ executionSuccessful: isComplete, exitCode, exitCodeDescription: visible(summary) },
            ...{ commandLine: visible(run.command), startTimeUtc: run.startedAt },
            endTimeUtc: new Date(Date.parse(run.startedAt) + run.durationMs).toISOString(),
            toolExecutionNotifications: notifications,
          },
        ],
        originalUriBaseIds: { [SPECIFICATION]: { description: { text: "The folder of the specification" } } },
        columnKind: "utf16CodeUnits",
        results: causes.flatMap((cause) => resultOf(cause, report, failed)),
        properties: { summary: visible(summary), contract, target: target.url, seed: run.seed },
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function resultOf(cause: Cause, report: ReportData, failed: readonly ReportedRequirement[]) {
  const [first] = findingsOf(cause, report);
  const requirement = failed.find(({ id }) => id === first?.requirement);
  if (!first || !requirement) return [];
  const { id, level, location } = requirement;
  const lines = linesOf(first, report).map(([name, text]) => `${name}: ${text}`);
  const place = location
    ? {
        artifactLocation: { uri: uriOf(location.file), uriBaseId: SPECIFICATION },
        region: { startLine: location.line },
      }
    : { artifactLocation: { uri: uriOf(report.contract.file) } };
  return [
    {
      ...{ ruleId: id, ruleIndex: failed.indexOf(requirement), level: LEVELS[level] },
      message: { text: [visible(cause.title), ...lines].join("\n") },
      locations: [{ physicalLocation: place }],
      partialFingerprints: { "requirement/v1": id, "case/v1": first.case ?? first.script ?? "" },
      properties: { requirements: cause.requirements },
    },
  ];
}

const uriOf = (file: string): string => file.split(/[/\\]/).map(encodeURIComponent).join("/");
