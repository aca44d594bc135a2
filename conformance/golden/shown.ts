/** Repeated values within a scenario are equal; `text` and its variants never are. */
const SHOWN: Readonly<Record<string, Shown>> = {
  "request-id": { source: "[A-Za-z0-9._-]{1,64}", sample: "sample-id", kept: true },
  text: { source: "[^]+", sample: "Text", kept: false },
  problems: { source: "https?://[^#]*", sample: "https://one.invalid/api/?@=docs.get.problems", kept: false },
  origin: { source: "(?:,origin)?", sample: "", kept: false },
  parameters: { source: "(?:;[^]*)?", sample: "", kept: false },
  prefix: { source: "(?:/(?:[^/?#]+/)*)?", sample: "/", kept: false },
  uuid: {
    source: "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    sample: "019c1395-e200-7000-8000-0123456789ab",
    kept: true,
  },
  time: {
    source: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z",
    sample: "2026-01-31T12:00:00Z",
    kept: true,
  },
  cursor: { source: "[^\\s<>&]+", sample: "c1", kept: true },
  etag: { source: '[^"]+', sample: "t1", kept: true },
};

interface Shown {
  readonly source: string;
  readonly sample: string;
  readonly kept: boolean;
}

/**
 * Values that only a response has, by the first word of a placeholder: `{uuid}`, another `{uuid 2}`, `{request-id but not mine}`.
 */
export function shownBy(name: string): Shown | undefined {
  const [, word = "", other] = /^(\S+)(?: but not (.+)| \d)?$/.exec(name) ?? [];
  const shown = SHOWN[word];
  return shown && other !== undefined ? { ...shown, source: `(?!${other}$)${shown.source}` } : shown;
}

/** An address with this many characters; no label of its domain has more than 49. */
export function addressOf(own: string, local: number, whole: number | null): string {
  const start = `${own.padEnd(local, "a")}@`;
  if (whole === null) return `${start}example.com`;
  return (
    start +
    `${"d".repeat(49)}.`
      .repeat(6)
      .slice(0, whole - start.length - 1)
      .concat("d")
  );
}
