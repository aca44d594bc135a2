import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRedactor } from "../redact/redact.ts";
import { curlLine } from "./curl.ts";
import type { SentRequest } from "./exchange.ts";

let server: Server;
let origin: string;
let received: Promise<Buffer>;
let deliver: (bytes: Buffer) => void;

/** Records what arrives until it has been silent for the length that it announces, then answers and closes. */
beforeAll(async () => {
  server = createServer((socket) => {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const head = bytes.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1] ?? 0);
      if (head < 0 || bytes.length < head + 4 + length) return;
      deliver(bytes);
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Runs the line in sh; what the server received and what the line printed. */
async function execute(line: string, env: Record<string, string> = { API_KEY: "key'with \"$odd` signs" }) {
  received = new Promise((resolve) => {
    deliver = resolve;
  });
  const printed = new Promise<string>((resolve, reject) => {
    execFile("sh", ["-c", line], { env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) =>
      error && stdout === "" ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout),
    );
  });
  const bytes = await Promise.race([received, printed.then(() => received)]);
  return { bytes, printed: await printed };
}

function split(bytes: Buffer) {
  const end = bytes.indexOf("\r\n\r\n");
  const [line, ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
  return { line, fields: fields.sort(), body: bytes.subarray(end + 4) };
}

function sent(part: Partial<SentRequest> & { path?: string }): SentRequest {
  const { path = "/api/?@=sysinfo", ...rest } = part;
  return {
    method: "GET",
    url: origin + path,
    headers: [["Host", new URL(origin).host]],
    body: Buffer.alloc(0),
    raw: null,
    ...rest,
  };
}

const key = "key'with \"$odd` signs";
const host = () => ["Host", new URL(origin).host] as const;
const long = Buffer.from(`{"@":"user.create","data":{"name":"${"x".repeat(70_000)}"}}`);

const cases: readonly [title: string, request: () => SentRequest][] = [
  ["a GET", () => sent({})],
  [
    "the client's own fields",
    () =>
      sent({
        headers: [
          host(),
          ["User-Agent", "mine/1"],
          ["accept", "*/*"],
          ["Accept-Encoding", "gzip"],
          ["Connection", "close"],
        ],
      }),
  ],
  [
    "an empty field and a repeated one",
    () => sent({ headers: [host(), ["X-API-KEY", ""], ["X-PLATFORM", "web"], ["x-platform", "it's"]] }),
  ],
  ["no Host", () => sent({ headers: [] })],
  ["a key in a field", () => sent({ headers: [host(), ["X-API-KEY", "$API_KEY"], ["X", "a$API_KEY'b$API_KEY"]] })],
  ["odd characters in the address", () => sent({ path: "/api/../api/./?@=a{b}[1-3]&x='\\|^`\"<>%zz;&&q=*" })],
  ["HEAD", () => sent({ method: "HEAD" })],
  ["an invented method", () => sent({ method: "BREW" })],
  [
    "a JSON body",
    () =>
      sent({
        method: "POST",
        headers: [host(), ["Content-Type", "application/json"], ["Content-Length", "12"]],
        body: Buffer.from('{"a":"it\'s"}'),
      }),
  ],
  [
    "a key in the body",
    () => sent({ method: "POST", headers: [host(), ["Content-Length", "9"]], body: Buffer.from('{"k":"$API_KEY"}') }),
  ],
  [
    "a body that looks like a file name",
    () => sent({ method: "POST", headers: [host(), ["Content-Length", "12"]], body: Buffer.from("@/etc/passwd") }),
  ],
  [
    "a body with line ends and other scripts",
    () => sent({ method: "PUT", headers: [host(), ["Content-Length", "15"]], body: Buffer.from("a\n\tдва\n\n漢") }),
  ],
  [
    "bytes that are no text",
    () =>
      sent({
        method: "POST",
        headers: [host(), ["Content-Length", "260"]],
        body: Buffer.from([...Array(256).keys(), 37, 92, 39, 10]),
      }),
  ],
  [
    "bytes that begin with a dash",
    () => sent({ method: "POST", headers: [host(), ["Content-Length", "2"]], body: Buffer.from("-\r") }),
  ],
  [
    "a long body",
    () => sent({ method: "POST", headers: [host(), ["Content-Length", String(long.length)]], body: long }),
  ],
  ["an empty body", () => sent({ method: "POST", headers: [host(), ["Content-Length", "0"]] })],
  ["a body with GET", () => sent({ headers: [host(), ["Content-Length", "4"]], body: Buffer.from("body") })],
  [
    "a body with HEAD",
    () => sent({ method: "HEAD", headers: [host(), ["Content-Length", "4"]], body: Buffer.from("body") }),
  ],
  ["a Latin-1 field", () => sent({ headers: [host(), ["X-Name", "Zo\u00eb"]] })],
  ["a very long field", () => sent({ headers: [host(), ["X-Long", "y".repeat(140_000)]] })],
  ["a fragment", () => sent({ path: "/api/?@=sysinfo#part" })],
];

/** The bytes a request stands for, the key expanded. */
function expected({ method, url, headers, body }: SentRequest) {
  const expand = (text: string) => text.replaceAll("$API_KEY", () => key);
  const bytes = Buffer.from(expand(body.toString("latin1")), "latin1");
  const fields = headers.map(([name, value]) =>
    /^content-length$/i.test(name) ? `${name}: ${bytes.length}` : `${name}:${value && ` ${expand(value)}`}`,
  );
  return { line: `${method} ${url.slice(origin.length)} HTTP/1.1`, fields: fields.sort(), body: bytes };
}

describe("curlLine", () => {
  it.each(cases)("sends %s byte for byte", async (_title, request) => {
    const { bytes, printed } = await execute(curlLine(request()));
    expect(split(bytes)).toEqual(expected(request()));
    expect(printed).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  const raw = [
    ["a request written on a socket", "GET /api/ HTTP/1.0\r\nHost : x\r\nX-%s: 100% \\n 'q' \"d\" $HOME `id`\r\n\r\n"],
    ["a key in it", "GET /?X-API-KEY=$API_KEY HTTP/1.1\r\nX-API-KEY: $API_KEY\r\n\r\n"],
    ["NUL and bare line feeds", "GET / HTTP/1.1\nX: \u0000\u0001\u00fe\n\r\n\r\n"],
    ["long runs", `GET /${"a".repeat(9000)} HTTP/1.1\r\nX: ${"'".repeat(600)}${"%".repeat(600)}\r\n\r\n`],
    ["one long run in front", `${"a".repeat(600)}\r\n\r\n`],
  ] as const;
  it.each(raw)("sends %s byte for byte", async (_title, text) => {
    const { bytes, printed } = await execute(curlLine(sent({ raw: Buffer.from(text, "latin1") })));
    expect(bytes.toString("latin1")).toBe(text.replaceAll("$API_KEY", () => key));
    expect(printed).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it("expands the names it is given, the longest first", async () => {
    const request = sent({ headers: [host(), ["X", "$API_KEY_2 $API_KEY $HOME"]] });
    const { bytes } = await execute(curlLine(request, ["API_KEY", "API_KEY_2"]), { API_KEY: "one", API_KEY_2: "two" });
    expect(split(bytes).fields).toContain("X: two one $HOME");
    expect(curlLine(request, [])).toContain("'X: $API_KEY_2 $API_KEY $HOME'");
  });

  it("sends parts of a key, in whatever letters", async () => {
    const value = "atp_Zq7vX2mK9tR4wY8pL1c";
    const redactor = createRedactor([{ name: "API_KEY", value }], { parts: true });
    const nearly = [
      value.slice(0, -1),
      value.slice(1),
      value.toUpperCase(),
      value.toLowerCase(),
      `aTP${value.slice(3)}`,
    ];
    const swapped = value.replace(/[a-z]/gi, (one) => (one < "a" ? one.toLowerCase() : one.toUpperCase()));
    const values = [...nearly, swapped, `${value.slice(0, 11)}!${value.slice(12)}`, `${value} ${value}`];
    const headers = [host(), ...values.map((text, index) => [`X-${index}`, text] as const)];
    const address = sent({ headers, path: `/?a=${value.slice(0, -1)}` });
    const raw = Buffer.from(`GET /?${values.join("&")} HTTP/1.0\r\n\r\n`);
    const line = (request: SentRequest) => {
      const text = curlLine(redactor.exchange({ request, answer: null, error: null, durationMs: 0 }).request);
      expect(text.toLowerCase()).not.toContain(value.slice(4, 12).toLowerCase());
      expect(text.toLowerCase()).not.toContain(value.slice(-8).toLowerCase());
      return text;
    };
    const { bytes } = await execute(line(address), { API_KEY: value });
    expect(split(bytes)).toEqual(expected(address));
    const onSocket = await execute(line(sent({ raw })), { API_KEY: value });
    expect(onSocket.bytes.toString()).toBe(raw.toString());
  });

  it("takes openssl for TLS and nc for bytes that telnet would double", () => {
    const bytes = Buffer.from("GET /\xff", "latin1");
    const line = (url: string, raw = bytes) => curlLine(sent({ url, raw }));
    expect(line("https://one.invalid/api/")).toBe(
      "printf 'GET /\\377' | openssl s_client -quiet -connect one.invalid:443 -servername one.invalid",
    );
    expect(line("https://[::1]:8443/")).toBe("printf 'GET /\\377' | openssl s_client -quiet -connect '[::1]:8443'");
    expect(line("http://[::1]:8080/")).toBe("printf 'GET /\\377' | nc ::1 8080");
    expect(line("http://one.invalid/")).toBe("printf 'GET /\\377' | nc one.invalid 80");
    expect(line("http://one.invalid/", Buffer.alloc(0))).toMatch(/^printf '' \| curl .* telnet:\/\/one\.invalid:80$/);
  });
});
