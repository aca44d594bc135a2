import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { run } from "../test/command.ts";

/** Asks a shell what it makes of the words, the last of which is being typed. */
const ASK = {
  bash: (words: string[]) =>
    `COMP_WORDS=(atpoint ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _atpoint; echo "\${COMPREPLY[@]}"`,
  zsh: (words: string[]) =>
    `words=(atpoint ${words.slice(0, -1).join(" ")} '${words.at(-1)}'); CURRENT=${words.length + 1}; _atpoint`,
};
/** Outside of a completion zsh has none of its parts: here they filter by what is typed, as they do there. */
const ZSH = `compdef() { }
compadd() { local one; while [[ $1 != -- ]]; do shift; done; shift; for one; do [[ $one == \${words[CURRENT]}* ]] && print -n -- "$one "; done }
`;

describe.each(["bash", "zsh"] as const)("completion in %s", (shell) => {
  if (spawnSync(shell, ["-c", "exit"]).status !== 0) {
    const leftOut = `${shell} is LEFT OUT: it is not installed`;
    console.warn(leftOut);
    it.todo(leftOut);
    return;
  }

  it.each([
    [["u"], "users"],
    [["call", "user."], "user.list user.create"],
    [["call", "user.list", "l"], "limit="],
    [["call", "user.create", "name=x", ""], "name= email= --url --json"],
    [["call", "docs.get.R"], "docs.get.README"],
    [["keys", "create", "--na"], "--name"],
    [["keys", "re"], "revoke"],
    [["completion", ""], "bash zsh"],
    [["migrate", ""], ""],
  ])("completes %j", async (words, expected) => {
    const { out: script } = await run({}, "completion", shell);
    const { stdout: out, stderr } = spawnSync(shell, [
      "-c",
      `${shell === "zsh" ? ZSH : ""}${script}${ASK[shell](words)}`,
    ]);
    expect({ out: String(out).trim(), err: String(stderr) }).toEqual({ out: expected, err: "" });
  });
});

it("refuses another shell", async () => {
  expect(await run({}, "completion", "fish")).toMatchObject({ code: 2, out: "" });
});
