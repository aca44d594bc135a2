import { describe, expect, it } from "vitest";
import { main } from "./command.ts";

async function run(args: string) {
  const said: string[] = [];
  const words = args.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? [];
  const code = await main(words, { env: {}, out: () => {}, error: (text) => void said.push(text) });
  return { code, error: said.join("") };
}

describe("mutants", () => {
  it.each([
    ["serve x", /--target/],
    ["serve --target http://t.invalid", /missing required argument 'id'/],
    ["serve --target http://t.invalid nothing", /no mutant is called nothing/],
    ["serve --target http://t.invalid 'the key | sideways | all'", /no mutant is called the key/],
    ["serve --target ftp://t.invalid x", /http or https URL/],
    ["serve --target t x", /http or https URL/],
    ["serve --target http://t.invalid x --port x", /a port is needed/],
    ["break everything", /unknown command/],
  ])("refuses %s", async (args, message) => {
    const { code, error } = await run(args);
    expect(code).toBe(2);
    expect(error).toMatch(message);
  });

  it("helps", async () => expect(await run("--help")).toMatchObject({ code: 0 }));
});
