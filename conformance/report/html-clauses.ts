import { contract } from "../contract.ts";
import type { Contract } from "../oracle/contract.ts";
import { exchangeText, shortened } from "./exchange-text.ts";
import { details, pre, prose, terms, text } from "./html-parts.ts";
import { type CheckResult, type Failure, outcomeOf, type Report, resultsByRequirement } from "./report.ts";
import { requestText, sidesOf } from "./shown.ts";
import { seconds } from "./summary.ts";

/** Characters of a body that only proves a pass, or belongs to an earlier step. */
const SHOWN = 300;

const origins = [
  ["given", "Given by the founding document"],
  ["decided", "Decided by the contract"],
] as const;
const words = { passed: "passed", failed: "failed", open: "not judged" } as const;

/** Every requirement by clause, the given ones separate from the decided ones, each with its evidence. */
export function byClause(report: Report): string {
  const all = [...resultsByRequirement(report.results).values()];
  return origins
    .map(([origin, title]) => {
      const own = all.filter(([first]) => first.requirement.origin === origin);
      const parts = contract.clauses.map((clause) =>
        clausePart(
          clause,
          own.filter(([first]) => first.requirement.clause === clause.id),
        ),
      );
      return own.length === 0 ? "" : `<section>\n<h2>${title}</h2>\n${parts.join("")}</section>`;
    })
    .join("\n");
}

type Checked = readonly [CheckResult, ...CheckResult[]];

function clausePart({ id, title, decision }: Contract["clauses"][number], requirements: readonly Checked[]): string {
  if (requirements.length === 0) return "";
  const count = (wanted: string) => requirements.filter((own) => outcomeOf(own) === wanted).length;
  const said = [
    `${count("passed")} of ${requirements.length} kept`,
    ...(count("failed") > 0 ? [`${count("failed")} not`] : []),
  ];
  return `<section class="clause">
<h3>${text(`${id} ${title}`)} <small>${said.join(", ")}</small></h3>
${details("What it says", `<p>${prose(decision)}</p>`)}
${requirements.map(requirementPart).join("\n")}
</section>
`;
}

function requirementPart(own: Checked): string {
  const { id, level, origin, sentence } = own[0].requirement;
  const outcome = outcomeOf(own);
  const name = `<span class="mark ${outcome}">${words[outcome]}</span> <code>${text(id)}</code> <small>${level}</small>`;
  return `<details class="requirement" id="${text(id)}" data-outcome="${outcome}" data-origin="${origin}"><summary>${name}<br/>${prose(sentence)}</summary>
${own.map(checkPart).join("\n")}
</details>`;
}

function checkPart({ check, effect, outcome, reason, failure, evidence, durationMs }: CheckResult): string {
  const why = reason === null ? "" : `: ${reason}`;
  const proof = evidence ? details("The exchange that proved it", pre(exchangeText(evidence, SHOWN))) : "";
  const head = `${outcome}${why}, ${effect}, ${seconds(durationMs)}`;
  return `<div class="check"><p><code>${text(check)}</code> <small>${text(head)}</small></p>${failure ? failurePart(failure) : proof}</div>`;
}

/** The request, and expected and actual values or their differences; the exchange and the other steps are folded. */
export function failurePart(failure: Failure, place: string | null = null): string {
  const { exchanges, guilty, curl, rerun } = failure;
  const { expected, actual, differences } = sidesOf(failure);
  const decisive = exchanges[guilty];
  const others = exchanges.flatMap((exchange, index) => (index === guilty ? [] : [{ exchange, index }]));
  const steps = others.map(({ exchange, index }) =>
    details(
      `${index + 1}. ${exchange.request.method} ${exchange.request.url}`.slice(0, SHOWN),
      pre(exchangeText(exchange, SHOWN)),
    ),
  );
  return `${terms([
    ["Request", decisive ? requestText(decisive) : null],
    ["Expected", differences.length > 0 ? null : expected],
    ["Got", differences.length > 0 ? null : actual],
    ["Differs", differences.length > 0 ? differences.join("\n") : null],
    ["In", place === null ? null : shortened(place, SHOWN)],
  ])}
${decisive ? details(`The whole exchange: step ${guilty + 1} of ${exchanges.length}`, pre(exchangeText(decisive))) : ""}
${steps.length > 0 ? details(`The other steps (${steps.length})`, steps.join("\n")) : ""}
${details("The same bytes again", pre(curl))}
${details("This check alone", pre(rerun))}`;
}

/** A list of checks, each a link to its requirement. */
export const linksTo = (ids: readonly string[]) =>
  `<ul>${ids.map((id) => `<li><a href="#${text(id.split("#", 1)[0] ?? id)}">${text(id)}</a></li>`).join("")}</ul>`;
