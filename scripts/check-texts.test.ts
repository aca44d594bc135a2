import { expect, it } from "vitest";
import { displacedWords, unknownCitations } from "./check-texts.ts";

it("names a clause that the contract does not have, and no part of another word", () => {
  const unknown = `D${90}`;
  const text = `// As D13 says, and G4.\nconst escaped = "%D0%90 %${unknown} X${unknown} ${unknown}a";\n// See (${unknown}).`;
  expect(unknownCitations("a.ts", text)).toEqual([
    `a.ts:3: ${unknown} is no clause of the contract`,
  ]);
});

it.each([
  ["a.md", "A `beside` word.\n```sh\nbeside\n```\nThe page beside it, see beside.md.\n"],
  [
    "a.ts",
    '/** Of `asked`. */\nconst asked = "// beside";\n\n// `beside`.\nconst one = 1; // Beside it.\n',
  ],
  ["a.tsp", '@doc("Of it.")\nmodel beside {}\n\n/** It */\n@doc("is beside that.")'],
])("finds a word in the prose of %s, with its line, and none in its code", (file, text) => {
  expect(displacedWords(file, text)).toEqual([
    expect.stringMatching(`^${file}:5: [Bb]eside → next to, in addition to$`),
  ]);
});
