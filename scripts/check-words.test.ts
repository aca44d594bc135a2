import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { displacedWords } from "./check-words.ts";

it("finds a word in prose and in comments, with its line, and none in code", () => {
  const root = mkdtempSync(join(tmpdir(), "words-"));
  writeFileSync(join(root, "a.md"), "A `beside` word.\n```sh\nbeside\n```\nThe page beside it, see beside.md.\n");
  writeFileSync(join(root, "a.ts"), '/** Of `asked`. */\nconst asked = "// beside";\n// It asks\n// `beside`.\n');
  try {
    expect(displacedWords(root, "a.md")).toEqual(["a.md:5: beside → next to, in addition to"]);
    expect(displacedWords(root, "a.ts")).toEqual(["a.ts:3: asks → sends, requests"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
