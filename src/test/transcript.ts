import { parseEnv } from "node:util";
import { expect, onTestFinished, vi } from "vitest";
import { run } from "./command.ts";

/**
 * Texts that differ from run to run, and how a transcript shows the first, the second …: an id in
 * the width of its column.
 */
const FORMS: readonly [RegExp, (number: number) => string][] = [
  [/\batp_[0-9a-f]{48}\b/g, (number) => `atp_${number}`],
  [
    /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
    (number) => `aaaaaaaa-0000-0000-0000-00000000000${number}`,
  ],
  [/(?<=--cursor |"nextCursor":")[^\s"]+/g, (number) => `CURSOR_${number}`],
];

/** JSON as commands print it is one line of a transcript. */
function fold(json: string): string {
  const value = JSON.parse(json);
  return JSON.stringify(value, null, 2) === json ? JSON.stringify(value) : json;
}

/**
 * Runs the commands of a transcript, `$ atpoint keys list` or `$ PORT=x atpoint serve`, one after
 * the other, and compares what each prints with the lines below it: `! ` begins a line of standard
 * error, and `exit 1` is the last line of a command that fails. The clock begins with the year
 * 2026, UTC, and stands still; `# 2026-01-02T00:00:00Z` sets it. Returns the key or the id that a
 * text of the transcript shows.
 * A line that begins with `…` continues the one before.
 */
export const replay =
  (env: NodeJS.ProcessEnv) =>
  async (strings: TemplateStringsArray, ...values: string[]) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026) });
    onTestFinished(() => void vi.useRealTimers());
    const expected = String.raw({ raw: strings }, ...values)
      .trim()
      .replace(/^ +/gm, "")
      .replaceAll("\n…", "");
    const forms = FORMS.map(([form, shownAs]) => ({
      form,
      shownAs,
      known: new Map<string, string>(),
    }));
    const show = (text: string) => {
      for (const { form, shownAs, known } of forms)
        text = text.replace(form, (real) => {
          // What the transcript itself has is shown as it is.
          if (expected.includes(real)) return real;
          if (!known.has(real)) known.set(real, shownAs(known.size + 1));
          return known.get(real) ?? real;
        });
      return text;
    };
    // All at once: a key may begin as another one is shown, `atp_4`.
    const realOf = (text: string) => {
      const reals = forms.flatMap(({ known }) =>
        [...known].map(([real, shown]) => [shown, real] as const),
      );
      const upper = reals.map(
        ([shown, real]) => [shown.toUpperCase(), real.toUpperCase()] as const,
      );
      const all = new Map([...upper, ...reals]);
      return text.replace(
        /\b(atp_\d|a{8}[\d-]+|CURSOR_\d)\b/gi,
        (shown) => all.get(shown) ?? shown,
      );
    };
    let printed = "";
    for (const [line, set = "", command, time] of expected.matchAll(
      /^(?:\$ (\S+=.*)?atpoint (.*)|# (.*))$/gm,
    )) {
      printed += `${line}\n`;
      if (time !== undefined) vi.setSystemTime(time);
      if (command === undefined) continue;
      const words = realOf(command).match(/'[^']*'|\S+/g) ?? [];
      const variables = { ...env, ...parseEnv(set.replaceAll(" ", "\n")) };
      const { code, out, err } = await run(
        variables,
        ...words.map((word) => word.replaceAll("'", "")),
      );
      printed +=
        show(out.replace(/^[[{]\n.*\n[\]}]$/ms, fold)) + show(err).replace(/^(?=.)/gm, "! ");
      if (code !== 0) printed += `exit ${code}\n`;
    }
    expect(printed.trim()).toBe(expected);
    return realOf;
  };
