import { expect, it } from "vitest";
import { launchProgram } from "../conformance/proof/kits/process.test-kit.ts";

/** What Node.js says it is; Node.js 18 itself is no package of this repository. */
const OLD = 'Object.defineProperty(process.versions, "node", { value: "20.18.3" })';

it.each([
  ["scripts/run.js", 1],
  ["scripts/atpoint.js", 1],
  ["conformance/bin.js", 2],
])("%s says which Node.js it needs", async (program, expected) => {
  const words = ["--import", `data:text/javascript,${OLD}`, program];
  expect(await launchProgram(process.execPath, words).ended).toEqual({
    code: expected,
    stdout: "",
    stderr: "Node.js 20.19 or newer is needed; this is 20.18.3.\n",
  });
});
