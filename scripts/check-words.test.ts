import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { displacedWords } from "./check-words.ts";

it("finds a word in prose and in comments, with its line, and none in code", () => {
  const root = mkdtempSync(join(tmpdir(), "words-"));
  writeFileSync(join(root, "a.md"), "A `told` word.\n```sh\nsaid\n```\nThe caller is told so, see told.md.\n");
  writeFileSync(join(root, "a.ts"), '/** Of `refused`. */\nconst refused = "// told";\n// It refuses\n// `told`.\n');
  try {
    expect(displacedWords(root, "a.md")).toEqual(["a.md:5: told → reported, logged, printed"]);
    expect(displacedWords(root, "a.ts")).toEqual(["a.ts:3: refuses → reject, rejection"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
