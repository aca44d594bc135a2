import { text } from "./html-parts.ts";
import { outcomeOf, type Report, resultsByRequirement } from "./report.ts";

const SIZE = 10;
const ROW = 12;
const heights = { passed: 6, failed: SIZE, open: 2 } as const;

/** Every area of the contract as a line of bars, one for each requirement: high and red, middle and green, low where it was not judged. */
export function picture({ results }: Report): string {
  const areas = new Map<string, (keyof typeof heights)[]>();
  for (const [id, own] of resultsByRequirement(results)) {
    const [area = id] = id.split("/", 1);
    areas.set(area, [...(areas.get(area) ?? []), outcomeOf(own)]);
  }
  return `<ul class="areas">${[...areas].map(([area, outcomes]) => line(area, outcomes)).join("\n")}</ul>
<p><small>A bar for each requirement: high and red where it failed, low and grey where it was not judged.</small></p>`;
}

function line(area: string, outcomes: readonly (keyof typeof heights)[]): string {
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  const said = `${area}: ${count("failed")} failed, ${count("passed")} passed, ${count("open")} not judged`;
  const bars = outcomes.map(
    (outcome, index) =>
      `<rect class="${outcome}" x="${index * ROW}" y="${SIZE - heights[outcome]}" width="${SIZE}" height="${heights[outcome]}"/>`,
  );
  const width = outcomes.length * ROW;
  return `<li><span>${text(area)}</span> <svg role="img" aria-label="${text(said)}" width="${width}" height="${SIZE}" viewBox="0 0 ${width} ${SIZE}">${bars.join("")}</svg></li>`;
}
