import type { ContractModel } from "./model.ts";

/** Sizes in pixels. A row has `COLUMNS` boxes: the request, every step, the response. */
const [COLUMNS, WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN] = [5, 176, 42, 12, 14, 16];

/** The colours of the pages (`src/pages/style.ts`). The picture has a background of its own, so it is readable on any page. */
const STYLE = `
svg { --paper: #ffffff; --panel: #f3f5f9; --ink: #1b2029; --muted: #565f6e; --line: #b4bccb; --accent: #2450c4; --good: #116b3c; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #12151b; --panel: #1c212a; --ink: #e8ebf1; --muted: #a4adbb; --line: #4d586a; --accent: #9db9ff; --good: #7edba0; }
}
.paper { fill: var(--paper); }
.box { fill: var(--panel); stroke: var(--line); }
.request { stroke: var(--accent); stroke-width: 2; }
.response { stroke: var(--good); stroke-width: 2; }
.way { fill: none; stroke: var(--muted); stroke-width: 1.5; }
text { fill: var(--ink); font: 500 13px system-ui, sans-serif; }
.small { fill: var(--muted); font-weight: 400; font-size: 11px; }
.number { text-anchor: end; }
`;

interface Box {
  readonly kind: "request" | "step" | "response";
  readonly number?: number;
  readonly title: string;
  readonly text: string;
}

/** `readHead` → `read head`. */
const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const escaped = (text: string): string => text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);

/** `docs/order.svg`: a request, the order of checks with the statuses that each step rejects with, and the response. */
export function emitOrderPicture({ document, operations, problems, steps }: ContractModel): string {
  const statusOf = new Map(problems.map(({ code, status }) => [code, status]));
  const unique = (statuses: readonly number[]) => [...new Set(statuses)].sort().join(" ");
  const statuses = (codes: readonly string[]) => unique(codes.flatMap((code) => statusOf.get(code) ?? []));
  const successes = operations
    .flatMap(({ responses }) => responses.map(({ status }) => status))
    .filter((one) => one < 400);
  const boxes: readonly Box[] = [
    { kind: "request", title: "Request", text: "GET or POST /api/" },
    ...steps.map(({ step, refuses }, index) => ({
      kind: "step" as const,
      number: index + 1,
      title: words(step),
      text: statuses(refuses),
    })),
    { kind: "response", title: "Response", text: unique(successes) },
  ];
  const rows = Math.ceil(boxes.length / COLUMNS);
  const width = 2 * MARGIN + COLUMNS * (WIDTH + GAP_X) - GAP_X;
  const bottom = MARGIN + rows * (HEIGHT + GAP_Y);
  const height = bottom + 12 + MARGIN;
  const list = steps.map(({ step, refuses }, index) => `${index + 1} ${words(step)} (${statuses(refuses)})`);
  const desc = `A request passes these checks in this order: ${list.join(", ")}. The first check that fails decides the error response; a request that passes all of them gets the response of its operation.`;
  return `<!-- Generated from spec/ by \`npm run generate\`. Do not edit. -->
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(document.info.title)}: the order of checks</title>
<desc id="desc">${escaped(desc)}</desc>
<style>${STYLE}</style>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
${boxes.map((box, index) => drawn(box, index, index === boxes.length - 1)).join("\n")}
<text class="small" x="${MARGIN}" y="${bottom + 10}">Numbers below a step are the statuses that it rejects with. The first step that fails decides the error response, a problem document.</text>
</svg>
`;
}

/** A box, and the way to the next one: to the right, or from the end of a row to the beginning of the next. */
function drawn({ kind, number, title, text }: Box, index: number, isLast: boolean): string {
  const column = index % COLUMNS;
  const x = MARGIN + column * (WIDTH + GAP_X);
  const y = MARGIN + Math.floor(index / COLUMNS) * (HEIGHT + GAP_Y);
  const [right, middle] = [x + WIDTH, y + HEIGHT / 2];
  const half = WIDTH / 2;
  const next =
    column < COLUMNS - 1
      ? `M${right} ${middle}h${GAP_X - 1}m-4 -4l4 4l-4 4`
      : `M${x + half} ${y + HEIGHT}v${GAP_Y / 2}H${MARGIN + half}v${GAP_Y / 2 - 1}m-4 -4l4 4l4 -4`;
  return [
    `<rect class="box${kind === "step" ? "" : ` ${kind}`}" x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    `<text x="${x + 10}" y="${y + 18}">${escaped(title)}</text>`,
    `<text class="small" x="${x + 10}" y="${y + 34}">${escaped(text)}</text>`,
    ...(number === undefined ? [] : [`<text class="small number" x="${right - 7}" y="${y + 17}">${number}</text>`]),
    ...(isLast ? [] : [`<path class="way" d="${next}"/>`]),
  ].join("\n");
}
