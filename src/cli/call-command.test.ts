import { createServer } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { run as runCommand } from "../test/command.ts";
import { portOf } from "../test/ports.ts";
import { start } from "../test/running-service.ts";
import { answerText } from "./call-command.ts";

const run = (env: NodeJS.ProcessEnv, ...argv: string[]) => runCommand(env, "call", ...argv);

describe("call", () => {
  let env: NodeJS.ProcessEnv;
  let at: string[];
  beforeEach(async () => {
    const { service, key } = await start({ SHUTDOWN_GRACE_MS: "1" });
    at = ["--url", service.url];
    env = { API_KEY: key, PLATFORM: "web" };
  });

  it("creates users, and lists them as a table or as JSON", async () => {
    const created = await run(env, "user.create", "name=Ada = Lovelace", "email=ada@example.com", ...at);
    expect(created).toMatchObject({ code: 0, err: "" });
    expect(created.out).toMatch(
      /^id {9}[0-9a-f-]{36}\nname {7}Ada = Lovelace\nemail {6}ada@example.com\ncreatedAt {2}2.*Z\n$/,
    );
    await run(env, "user.create", "name=Grace", "email=grace@example.com", ...at);
    const { out } = await run(env, "user.list", "limit=1", ...at);
    expect(out).toMatch(
      /^id {36}name {12}email {12}createdAt\n[0-9a-f-]{36} {2}Ada = Lovelace {2}ada@.*\n\nnextCursor {2}\S+\n$/,
    );
    const listed = JSON.parse((await run(env, "user.list", "--json", ...at)).out);
    expect(listed).toMatchObject({ items: [{ name: "Ada = Lovelace" }, { name: "Grace" }] });
  });

  it("prints a document as its text, or as JSON", async () => {
    expect((await run({}, "docs.get.README", ...at)).out).toMatch(/^# Atpoint\n/);
    expect(JSON.parse((await run({}, "docs.get.README", "--json", ...at)).out)).toMatchObject({ name: "README" });
  });

  it("says why it was refused: the code, the faults and the request", async () => {
    expect(await run({}, "user.list", ...at)).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^user.list: credentials-missing: .*\n {2}request [0-9a-f-]{36}\n$/),
    });
    const { code, err } = await run(env, "user.list", "limit=many", ...at);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/invalid-input: .*\n {2}limit: .*\n {2}request /),
    });
    expect(err).not.toContain(env.API_KEY);
  });
});

it.each([
  [["user.delete"], /^No operation has the name "user.delete"; there are: sysinfo, .*docs\.get\.\{name\}[^\n]*\.\n$/],
  [["user.list", "page=1"], /^"page=1" is no input; user.list takes limit=…, cursor=….\n$/],
  [["sysinfo", "constructor=1"], /^"constructor=1" is no input; sysinfo takes none.\n$/],
  [["user.list", "limit=1", "limit=2"], /^limit=… is given more than once\.\n$/],
  [["user.list", "limit"], /^"limit" is no input/],
  [["sysinfo", "--url", "api"], /^--url takes an address/],
  [["sysinfo", "--url", "ftp://127.0.0.1"], /^--url takes an address/],
  [["sysinfo", "--url", "http://127.0.0.1:2"], /^sysinfo: http:\/\/127\.0\.0\.1:2 did not respond \(ECONNREFUSED\)\n$/],
])("refuses %j", async (argv, said) => {
  expect(await run({}, ...argv)).toEqual({ code: 1, out: "", err: expect.stringMatching(said) });
});

it("says that a key cannot be sent, without it", async () => {
  const { err } = await run({ API_KEY: "atp_s3cret\n", PLATFORM: "wéb€" }, "user.list", "--url", "http://127.0.0.1:2");
  expect(err).toMatch(/^API_KEY or PLATFORM has a character/);
  expect(err).not.toContain("s3cret");
});

it("calls the service that is configured here", async () => {
  const server = createServer((request, response) =>
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ asked: request.url })),
  );
  const PORT = String(await portOf(server));
  expect(await run({ PORT }, "sysinfo")).toEqual({ code: 0, out: "asked  /api/?%40=sysinfo\n", err: "" });
});

it.each([
  [{ items: [] }, "There are none.\n"],
  [{ items: [{ a: 1 }, { a: "long", b: { c: [] } }] }, 'a     b\n1\nlong  {"c":[]}\n'],
  [{ items: 3, ok: true }, "items  3\nok     true\n"],
  ["text", "text\n"],
  [null, "null\n"],
])("shows %j", (answer, shown) => {
  expect(answerText(answer)).toBe(shown);
});
