// Checks what people read: citations (`D13`, `G4`) of clauses that the contract does not have are rejected; displaced words, each with
// its plain replacement, are counted in documents, comments, and texts of the spec.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import data from "../generated/contract.json" with { type: "json" };

/** Tolerated displaced words. Lower it when there are fewer. */
const ALLOWED = 40;

/** Forms of a word, and what to write instead. */
const WORDS: readonly (readonly [forms: string, plain: string])[] = [
  ["told|tells?(?! (?:apart|whether))|telling", "reported, logged, printed"],
  ["said|says?(?= so)|saying", "stated, reported, documented"],
  ["refus(?:e|es|ed|ing|als?)", "reject, rejection"],
  ["judg(?:e|es|ed|ing|e?ments?)", "check, validate, evaluate; result"],
  [
    "(?:as it )?st(?:ands?|ood)(?: (?:in|on|for|there|at|behind|before|as))?",
    "is, means; unchanged",
  ],
  ["(?:leads?|led) (?:to|on|there|nowhere|somewhere)", "links to, redirects to"],
  ["whoever|who (?:asks?|calls?|knows?)", "the caller, the client, the operator"],
  ["(?:some|no|any)body(?:['’]s)?(?: else(?:['’]s)?)?", "another user, no caller, unknown"],
  ["beside", "next to, in addition to"],
  ["in (?:the|its|their) place(?: of)?", "instead of"],
  ["(?:is|are|was|were|be) away", "unavailable"],
  ["ask(?:s|ed|ing)?", "sends, requests"],
  ["made(?! sure)", "created, generated"],
  ["by hand", "hand-written, manually"],
  ["(?:hold|holds|held) against", "compare with"],
  ["what (?:became|becomes|comes) of", "the result of"],
  ["(?:is|are|was|were) let in", "is accepted"],
];

/** Not as a part of an identifier, a path, an option or a file name. */
const patterns = WORDS.map(([forms, plain]) => {
  return { plain, pattern: new RegExp(`(?<![\\w$@#./-])(?:${forms})(?![\\w$(]|[./:-]\\w)`, "gi") };
});
const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** Without code blocks and code spans; every other character keeps its place. */
const prose = (text: string) =>
  text
    .replace(/^([ *]*)(```+)[\s\S]*?^\1\2/gm, blank)
    .replace(/(`+)(?:(?!\n\s*\n)[\s\S])+?\1/g, blank);

/** What is read of a file that is no document: comments; in the spec strings too, since the sentences of the contract are strings. */
const COMMENTS = /((?<=^ *|\S )\/\/ .*|^ *\/\*\*?\s[\s\S]*?\*\/)/m;
const TEXTS = /(\/\/.*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/;

/** The matches of a pattern, which is one group, alone; every character keeps its place. */
const only = (text: string, pattern: RegExp): string =>
  Array.from(text.split(pattern), (part, index) => (index % 2 === 1 ? part : blank(part))).join("");

/** A line for each match in a text, as `file:line: match …`. */
const found = (file: string, text: string, pattern: RegExp, said: string): string[] =>
  text
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(pattern)].map(([match]) => `${file}:${index + 1}: ${match}${said}`),
    );

/** Not `%D0%90`, which is text in a URL, nor a part of a longer word. */
const UNKNOWN = new RegExp(
  `(?<![\\w%])(?!(?:${data.clauses.map(({ id }) => id).join("|")})\\b)[DG][1-9]\\d?(?!\\w)`,
  "g",
);

/** The citations of unknown clauses. */
export const unknownCitations = (file: string, text: string): string[] =>
  found(file, text, UNKNOWN, " is no clause of the contract");

/** The displaced words. */
export function displacedWords(file: string, text: string): string[] {
  const read = prose(
    file.endsWith(".md") ? text : only(text, file.endsWith(".tsp") ? TEXTS : COMMENTS),
  );
  return patterns.flatMap(({ pattern, plain }) => found(file, read, pattern, ` → ${plain}`));
}

if (import.meta.filename === process.argv[1]) {
  const kinds = ["*.ts", "*.js", "*.tsp", "*.md", ".env.example"];
  const listed = String(execFileSync("git", ["ls-files", ...kinds]));
  const texts = listed
    .trim()
    .split("\n")
    .map((file) => [file, readFileSync(file, "utf8")] as const);
  const unknown = texts.flatMap(([file, text]) => unknownCitations(file, text));
  const isRead = /^(src|conformance|scripts|spec)\/.*(?<!\.test|\.test-kit)\.(ts|tsp)$|\.md$/;
  const words = texts.flatMap(([file, text]) =>
    isRead.test(file) && file !== "CHANGELOG.md" ? displacedWords(file, text) : [],
  );
  console.log(
    [...unknown, ...words, `${words.length} displaced words; ${ALLOWED} are allowed.`].join("\n"),
  );
  process.exitCode = unknown.length > 0 || words.length > ALLOWED ? 1 : 0;
}
