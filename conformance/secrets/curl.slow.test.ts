import { describe, expect, it } from "vitest";
import { sentFields, write } from "../http/write.ts";
import type { Request } from "../oracle/model-state.ts";
import { launchProgram } from "../proof/kits/process.test-kit.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { curlLine, socketLine } from "./curl.ts";

const KEY = "key'with \"$odd` signs";
/** The bytes of the last request, behind which the response was sent. */
let received: Buffer;

/** Its server collects the bytes until they have the announced length, then responds and closes. */
function listen(): Promise<string> {
  return serveSocket((socket) => {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const head = bytes.indexOf("\r\n\r\n");
      const length = Number(
        /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1] ?? 0,
      );
      if (head < 0 || bytes.length < head + 4 + length) return;
      received = bytes;
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    });
  });
}

const GET: Request = { method: "GET", target: "/api/?@=sysinfo", fields: [], body: "" };

/** A request to a new server, with its Host. */
async function begin({ fields = [], ...part }: Partial<Request>) {
  const origin = await listen();
  const where = { target: { origin, prefix: "" }, secrets: ["API_KEY"] };
  const host = part.version === "1.0" ? [] : [["Host", new URL(origin).host] as const];
  return { request: { ...GET, ...part, fields: [...host, ...fields] }, where };
}

/** Runs the line in sh, which prints the response; returns what the server received. */
async function execute(
  line: string,
  env: Record<string, string> = { API_KEY: KEY },
): Promise<Buffer> {
  // Some commands exit with a code of their own.
  const { stdout } = await launchProgram("sh", ["-c", line], { env }).ended;
  expect(stdout).toMatch(/^HTTP\/1\.1 200 OK/);
  return received;
}

function split(bytes: Buffer) {
  const end = bytes.indexOf("\r\n\r\n");
  const [line, ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
  return { line, fields: fields.sort(), body: bytes.subarray(end + 4) };
}

/** The bytes of a request, with the key expanded. */
function expected({ method, target, body, version = "1.1", ...rest }: Request) {
  const expand = (text: string) => text.replaceAll("$API_KEY", () => KEY);
  const bytes = Buffer.from(expand(body), "latin1");
  const fields = sentFields({ method, target, body, ...rest }).map(([name, value]) =>
    /^content-length$/i.test(name)
      ? `${name}: ${bytes.length}`
      : `${name}:${value && ` ${expand(value)}`}`,
  );
  return { line: `${method} ${target} HTTP/${version}`, fields: fields.sort(), body: bytes };
}

const OWN = {
  "User-Agent": "mine/1",
  accept: "*/*",
  "Accept-Encoding": "gzip",
  Connection: "close",
};
const BYTES = Buffer.from([...Array(256).keys(), 37, 92, 39, 10]).toString("latin1");
const LONG = `{"@":"user.create","data":{"name":"${"x".repeat(70_000)}"}}`;

/** Fields as `name: value`. */
const fields = (...lines: readonly string[]) => ({
  fields: lines.map((line) => line.split(": ") as [name: string, value: string]),
});
const post = (body: string, method = "POST") => ({ method, body });

const cases: readonly [title: string, part: Partial<Request>][] = [
  ["the client's own fields", { fields: Object.entries(OWN) }],
  ["an empty field", fields("X-API-KEY: ")],
  ["a repeated field", fields("X-PLATFORM: web", "x-platform: it's")],
  ["no Host, in HTTP/1.0", { version: "1.0" }],
  ["a key in a field", fields("X-API-KEY: $API_KEY", "X: a$API_KEY'b$API_KEY")],
  [
    "odd characters in the address",
    { target: "/api/../api/./?@=a{b}[1-3]&x='\\|^`\"<>%zz;&&q=*#part" },
  ],
  ["HEAD", { method: "HEAD" }],
  ["a JSON body", { ...post('{"a":"it\'s"}'), ...fields("Content-Type: application/json") }],
  ["a key in the body", post('{"k":"$API_KEY"}')],
  ["a body that looks like a file name", post("@/etc/passwd")],
  ["bytes that are no text", post(BYTES)],
  ["bytes that begin with a dash", post("-\r")],
  ["a long body", post(LONG)],
  ["a body with HEAD", post("body", "HEAD")],
  ["a Latin-1 field", fields("X-Name: Zo\u00eb")],
  ["a very long field", fields(`X-Long: ${"y".repeat(140_000)}`)],
];

describe("curlLine", () => {
  it.each(cases)("sends %s byte for byte", async (_title, part) => {
    const { request, where } = await begin(part);
    expect(split(await execute(curlLine(request, where)))).toEqual(expected(request));
  });

  it("sends a body in chunks byte for byte", async () => {
    const framing = {
      chunks: [1, 3],
      extensions: ';a="b"',
      trailers: [["X-Trailer", "x"]] as const,
    };
    const { request, where } = await begin({ method: "POST", body: "it's one", framing });
    expect(await execute(curlLine(request, where))).toEqual(write(request, ""));
  });

  const raw = [
    [
      "a request written on a socket",
      "GET /api/ HTTP/1.0\r\nHost : x\r\nX-%s: 100% \\n 'q' \"d\" $HOME `id`\r\n\r\n",
    ],
    ["a key in it", "GET /?X-API-KEY=$API_KEY HTTP/1.1\r\nX-API-KEY: $API_KEY\r\n\r\n"],
    ["NUL and bare line feeds", "GET / HTTP/1.1\nX: \u0000\u0001\u00fe\n\r\n\r\n"],
    [
      "long runs",
      `GET /${"a".repeat(9000)} HTTP/1.1\r\nX: ${"'".repeat(600)}${"%".repeat(600)}\r\n\r\n`,
    ],
  ] as const;
  it.each(raw)("sends %s byte for byte", async (_title, text) => {
    const { where } = await begin({});
    const bytes = await execute(socketLine(Buffer.from(text, "latin1"), where));
    expect(bytes.toString("latin1")).toBe(text.replaceAll("$API_KEY", () => KEY));
  });
});
