// Counts displaced words, each with its plain replacement: in documents, comments, and texts of the spec.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";

/** Tolerated findings. Lower it when there are fewer. */
const ALLOWED = 40;

/** Forms of a word, and what to write instead: the vocabulary of CONTRIBUTING.md. */
const WORDS: readonly (readonly [forms: string, plain: string])[] = [
  ["told|tells?(?! (?:apart|whether))|telling", "reported, logged, printed"],
  ["said|says?(?= so)|saying", "stated, reported, documented"],
  ["refus(?:e|es|ed|ing|als?)", "reject, rejection"],
  ["judg(?:e|es|ed|ing|e?ments?)", "check, validate, evaluate; result"],
  ["(?:as it )?st(?:ands?|ood)(?: (?:in|on|for|there|at|behind|before|as))?", "is, means; unchanged"],
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
  text.replace(/^([ *]*)(```+)[\s\S]*?^\1\2/gm, blank).replace(/(`+)(?:(?!\n\s*\n)[\s\S])+?\1/g, blank);

/** These parts alone; every character keeps its place. */
function only(text: string, parts: Iterable<readonly [from: number, to: number]>): string {
  const sorted = [...parts].sort(([one], [other]) => one - other);
  return sorted.map(([from, to], at) => blank(text.slice(sorted[at - 1]?.[1], from)) + text.slice(from, to)).join("");
}

function commentsOf(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const parts = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    for (const rangesAt of [ts.getLeadingCommentRanges, ts.getTrailingCommentRanges])
      for (const { pos, end } of rangesAt(text, node.getFullStart()) ?? []) parts.set(pos, end);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return only(text, parts);
}

/** Comments, and strings: the sentences of the contract are strings. */
function textsOfSpec(text: string): string {
  const strings = text.matchAll(/\/\/.*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g);
  const parts = [...strings].map(({ 0: part, index }) => [index, index + part.length] as const);
  return only(text, parts);
}

/** The displaced words of a file below `root`, as `file:line: word → plain word`. */
export function displacedWords(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const read = prose(file.endsWith(".ts") ? commentsOf(file, text) : file.endsWith(".tsp") ? textsOfSpec(text) : text);
  return read
    .split("\n")
    .flatMap((line, at) =>
      patterns.flatMap(({ pattern, plain }) =>
        [...line.matchAll(pattern)].map(([word]) => `${file}:${at + 1}: ${word} → ${plain}`),
      ),
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const kinds = ["*.md", ...["src", "conformance", "scripts", "spec"].flatMap((of) => [`${of}/*.ts`, `${of}/*.tsp`])];
  const others = [":!CHANGELOG.md", ":!*.test.ts", ":!*.test-kit.ts"];
  const listed = execFileSync("git", ["ls-files", "-z", ...kinds, ...others], { encoding: "utf8" });
  const found = listed.split("\0").flatMap((file) => (file === "" ? [] : displacedWords(".", file)));
  console.log([...found, `${found.length} displaced words; ${ALLOWED} are allowed.`].join("\n"));
  process.exitCode = found.length > ALLOWED ? 1 : 0;
}
