// What `docs.get.implementations` says, and a badge for each implementation, from the suite's
// reports.
import type { ReportData } from "../../conformance/report/json.ts";

export interface Checked {
  readonly server: string;
  readonly database: string;
  readonly proxy: string;
  readonly report: Pick<ReportData, "verdict" | "target" | "run"> & {
    readonly requirements: readonly Pick<
      ReportData["requirements"][number],
      "id" | "outcome" | "reason"
    >[];
  };
}

/** The file of its badge, without its ending: `atpoint-sqlite-nginx`. */
export const badgeName = ({ server, database, proxy }: Checked): string =>
  [server, database, proxy]
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");

/** The JSON that shields.io reads from its endpoint (https://shields.io/badges/endpoint-badge). */
export const badgeOf = ({ report: { verdict } }: Checked) => ({
  schemaVersion: 1,
  label: "Atpoint",
  message: verdict,
  color: verdict.startsWith("conformant") ? "brightgreen" : "red",
});

/** `http` of `http/stays-alive`. */
const groupOf = (id: string): string => id.slice(0, id.indexOf("/"));

/** How many requirements of a group passed, of those that apply, and how many fail as is known. */
function cellOf({ report }: Checked, group: string): string {
  const applying = report.requirements.filter(
    ({ id, reason }) => groupOf(id) === group && !reason?.startsWith("not applicable"),
  );
  const count = (wanted: string) => applying.filter(({ outcome }) => outcome === wanted).length;
  const [passed, known] = [count("passed"), count("known")];
  if (applying.length === 0) return "–";
  return `${passed}/${applying.length}${known > 0 ? `, ${known} known` : ""}`;
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map(row).join("\n");

/** The document: the implementations, and what passed of each group of requirements. */
export function documentOf(all: readonly Checked[]): string {
  const groups = new Set(
    all.flatMap(({ report }) => report.requirements.map(({ id }) => groupOf(id))),
  );
  const implementations = all.map((checked, index) => {
    const { server, database, proxy, report } = checked;
    const { target, run, verdict } = report;
    const date = run.startedAt.slice(0, "2026-01-31".length);
    const number = String(index + 1);
    return [number, server, database, proxy, target.version ?? "–", date, verdict];
  });
  const heads = ["", ...all.map((_, index) => String(index + 1))];
  const parts = [...groups].map((group) => [group, ...all.map((one) => cellOf(one, group))]);
  return `${HEAD}
${table(["", "Server", "Database", "Proxy", "Release", "Date", "Verdict"], implementations)}

## By groups of requirements

The numbers are those of the implementations above, and each cell has the requirements that passed,
of those that apply. The others were not tried, or fail as is known.

${table(heads, parts)}
`;
}

const HEAD = `# Implementations

What the [suite](../../conformance/README.md) says of implementations, written from its reports by
\`npm run implementations\` before a release. Without a proxy a run sends everything; behind Caddy
and HAProxy it leaves out hostile requests, which these answer themselves
([why](../../scripts/deploy/README.md)). The JSON of a badge for each is in \`src/docs/badges/\`.
`;
