import { exchangeText, visible } from "./exchange-text.ts";
import type { CheckResult, Outcome, Report } from "./report.ts";
import { baselineLines, countsLine, type Failed, facts, failuresOf, notRun, sourceOf } from "./summary.ts";

interface Look {
  /** Whether the terminal shows colours. */
  readonly color: boolean;
}

type Paint = (code: number, text: string) => string;

const bold = 1;
const dim = 2;
const marks: Record<Outcome, readonly [mark: string, colour: number]> = {
  passed: ["ok  ", 32],
  failed: ["FAIL", 31],
  known: ["know", 33],
  incomplete: ["????", 33],
  "not selected": ["skip", dim],
};

/** One line as a check ends. */
export function renderProgress({ check, outcome, durationMs, reason }: CheckResult, look: Look): string {
  const paint = painter(look);
  const [mark, colour] = marks[outcome];
  const why = reason === null ? "" : ` (${visible(reason)})`;
  return `${paint(colour, mark)} ${check} ${paint(dim, `${Math.round(durationMs)} ms${why}`)}`;
}

/** The report for a terminal: what failed first, the verdict in the last line. */
export function renderConsole(report: Report, look: Look): string {
  const paint = painter(look);
  const good = report.verdict.startsWith("conformant");
  const levels = Object.entries(report.levels).map(
    ([level, { passed, failed }]) => `${level} ${passed} passed, ${failed} failed`,
  );
  const blocks = [
    ...failuresOf(report).map((failed) => failureBlock(failed, paint)),
    ...block(
      "Did not run:",
      notRun(report).map(({ title, checks }) => `${checks.length} ${title}${few(checks)}`),
      paint,
    ),
    ...block("Baseline:", baselineLines(report), paint),
    ...block("Faults:", report.faults, paint),
    ...block(`Created ${report.created.length} users, which no operation deletes:`, report.created, paint),
    facts(report)
      .map(([name, value]) => `${paint(dim, `${name}:`.padEnd(23))}${visible(value)}`)
      .join("\n"),
    levels.join(" · "),
    `${paint(good ? 32 : 31, paint(bold, report.verdict))}: ${countsLine(report)}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function failureBlock({ check, requirement, failure }: Failed, paint: Paint): string {
  const { level, origin, sentence } = requirement;
  return [
    `${paint(31, "FAIL")} ${paint(bold, check)} ${paint(dim, `${level}, ${origin}`)}`,
    indent(sentence),
    indent(`contract  ${sourceOf(requirement)}`),
    indent(`${paint(32, "expected")}  ${visible(failure.expected)}`),
    indent(`${paint(31, "got")}       ${visible(failure.actual)}`),
    ...failure.exchanges.map((exchange) => paint(dim, indent(exchangeText(exchange), "  | "))),
    // Not indented line by line: blanks inside a quoted body would be sent.
    `  again     ${visible(failure.curl)}`,
    indent(`alone     ${visible(failure.rerun)}`),
  ].join("\n");
}

function block(title: string, lines: readonly string[], paint: Paint): string[] {
  if (lines.length === 0) return [];
  return [[paint(bold, title), ...lines.map((line) => indent(visible(line)))].join("\n")];
}

/** A few are named here; the other reports name all. */
function few(checks: readonly string[]): string {
  return checks.length > 3 ? "" : ` (${checks.join(", ")})`;
}

function indent(text: string, by = "  "): string {
  return text.replace(/^/gm, by);
}

function painter({ color }: Look): Paint {
  return (code, text) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);
}
