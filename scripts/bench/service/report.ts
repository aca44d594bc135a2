import { type Measured, spreadOf, type Target } from "./figures.ts";

const row = (...cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const short = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

/** The measurements and the targets, as Markdown. */
export function markdown(measured: Measured, wanted: readonly Target[]): string {
  const lines = Object.entries(measured).flatMap(([work, servers]) =>
    Object.entries(servers).map(([server, rounds]) => {
      const cpu = spreadOf(rounds.map(({ cpuUs }) => cpuUs));
      const speed = spreadOf(rounds.map(({ perSecond }) => perSecond));
      return row(work, server, `${short(cpu.median)} (${short(cpu.min)}–${short(cpu.max)})`, speed.median.toFixed(0));
    }),
  );
  return [
    row("Work", "Server", "CPU of the server, µs a request: median (min–max)", "Requests a second"),
    row("---", "---", "---:", "---:"),
    ...lines,
    "",
    row("Target", "Limit", "Measured", ""),
    row("---", "---:", "---:", "---"),
    ...wanted.map(({ name, limit, value, isMet }) =>
      row(name, short(limit), short(value), isMet ? "met" : "**missed**"),
    ),
  ].join("\n");
}

export interface Plot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>>;
}

const [WIDTH, HEIGHT, MARGIN] = [640, 360, 56];
const COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"];

/** A plot with a logarithmic x axis, from zero upwards. */
export function svg({ title, x, y, lines }: Plot): string {
  const points = Object.values(lines).flat();
  const [low, high] = [Math.min(...points.map(([at]) => at)), Math.max(...points.map(([at]) => at))];
  const top = Math.max(...points.map(([, value]) => value)) * 1.1;
  const across = (at: number) => MARGIN + (Math.log(at / low) / (Math.log(high / low) || 1)) * (WIDTH - MARGIN - 120);
  const down = (value: number) => HEIGHT - MARGIN - (value / top) * (HEIGHT - 2 * MARGIN);
  const text = (at: number, to: number, words: string, more = "") =>
    `<text x="${at}" y="${to}" ${more}>${words}</text>`;
  const xs = [...new Set(points.map(([at]) => at))];
  const drawn = Object.entries(lines).map(([name, line], index) => {
    const colour = COLOURS[index % COLOURS.length] ?? "black";
    const [lastX = 0, lastY = 0] = line.at(-1) ?? [];
    const path = line.map(([at, value]) => `${across(at).toFixed(1)},${down(value).toFixed(1)}`).join(" ");
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...line.map(([at, value]) => `<circle cx="${across(at)}" cy="${down(value)}" r="3" fill="${colour}"/>`),
      text(across(lastX) + 8, down(lastY) + 4, name, `fill="${colour}"`),
    ].join("\n");
  });
  const ticks = [0, top / 2, top].map((value) => text(MARGIN - 6, down(value) + 4, short(value), 'text-anchor="end"'));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    text(MARGIN, 24, `${title}: ${y}`, 'font-size="14"'),
    `<path d="M${MARGIN} ${MARGIN} V${HEIGHT - MARGIN} H${WIDTH - 100}" fill="none" stroke="black"/>`,
    ...ticks,
    ...xs.map((at) => text(across(at), HEIGHT - MARGIN + 18, String(at), 'text-anchor="middle"')),
    text(WIDTH / 2, HEIGHT - 12, x, 'text-anchor="middle"'),
    ...drawn,
    "</svg>\n",
  ].join("\n");
}
