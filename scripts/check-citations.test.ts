import { expect, it } from "vitest";
import { unknownCitations } from "./check-citations.ts";

it("names a clause that the contract does not have, and no part of another word", () => {
  const unknown = `D${90}`;
  const text = `// As D13 says, and G4.\nconst escaped = "%D0%90 %${unknown} X${unknown} ${unknown}a";\n// See (${unknown}).`;
  expect(unknownCitations("a.ts", text)).toEqual([`a.ts:3: ${unknown} is no clause of the contract`]);
});
