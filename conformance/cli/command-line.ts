/** The name of this suite in reports. A test compares the version with package.json. */
export const program = { name: "atpoint-conformance", version: "4.0.0-dev.0" } as const;

/** Quotes a word for a POSIX shell; the masked value of a header field is a variable. */
function shellWord(word: string): string {
  if (/^[\w=-]+: *\$HEADER_\w+$/.test(word)) return `"${word}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command line for pasting into a shell, in a clone and where the package is installed. */
export const commandLine = (words: readonly string[]): string =>
  ["npx", program.name, ...words.map(shellWord)].join(" ");

/** Options with a value, and without, that do not belong to the repetition of one case. */
const DROPPED = new RegExp(
  "^--(?:only|skip|level|profile|case|seed|json|junit|markdown|html|known-failures" +
    "|max-failures|explore)(=|$)",
);
const DROPPED_FLAG = /^--(?:smoke|exhaustive|quiet|complete)$/;

/** The arguments that a repetition of one case keeps: neither a selection nor files of reports. */
export function alonePart(argv: readonly string[]): readonly string[] {
  return argv.filter((word, index) => {
    const [before = ""] = argv.slice(Math.max(index - 1, 0), index);
    return !DROPPED.test(word) && DROPPED.exec(before)?.[1] !== "" && !DROPPED_FLAG.test(word);
  });
}
