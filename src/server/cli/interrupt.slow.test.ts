// Ctrl-C at a terminal: it signals the whole group, and npm passes the signal on once more.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { fresh } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";

const BODY = '{"@":"user.list"}';
const HEAD =
  "POST /api/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
  `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

/** As `npm start`, without its build: other tests pack the same folder. */
const START = "npm exec -c 'exec node --import tsx src/main.ts'";

it.each([START, "npm run dev", `timeout 600 ${START}`])(
  "%s responds to what is in flight at Ctrl-C, and exits with 0",
  async (command) => {
    const { url: DATABASE_URL } = await fresh();
    const env = { ...process.env, ...patience, NODE_ENV: "test", PORT: "0", DATABASE_URL };
    const cwd = resolve(import.meta.dirname, "../../..");
    // The command takes the place of the shell: one without job control would end by the signal.
    const terminal = spawn("script", ["-qec", `exec ${command}`, "/dev/null"], { cwd, env });
    const ended = once(terminal, "exit");
    let output = "";
    const printed = async (pattern: RegExp) => {
      for (;;) {
        const match = pattern.exec(output)?.[1];
        if (match !== undefined) return match;
        output += (await once(terminal.stdout, "data"))[0];
      }
    };
    const port = await printed(/"url":"http:\/\/[^"]*:(\d+)".*"msg":"listening"/);
    const client = connect(Number(port), "127.0.0.1");
    client.write(HEAD + BODY.slice(0, 5));
    // Its head has arrived when another client that came later has its response.
    await (await fetch(`http://127.0.0.1:${port}/api/?@=sysinfo`)).text();
    terminal.stdin.write("\x03");
    await printed(/("msg":"closing")/);
    client.write(BODY.slice(5));
    expect(await text(client)).toMatch(/^HTTP\/1\.1 405 /);
    expect(await ended).toEqual([0, null]);
  },
);
