import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { serveSocket } from "../../test/server.test-kit.ts";
import { createRedactor } from "../redact/redact.ts";
import { curlLine } from "./curl.ts";
import type { SentRequest } from "./exchange.ts";

const KEY = "key'with \"$odd` signs";
/** The bytes that arrived at the test server. */
let received: Promise<Buffer>;

/** Its server keeps the bytes until they have the announced length, then responds and closes. */
async function listen(): Promise<string> {
  let deliver = (_: Buffer) => {};
  received = new Promise((resolve) => {
    deliver = resolve;
  });
  return serveSocket((socket) => {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const head = bytes.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1] ?? 0);
      if (head < 0 || bytes.length < head + 4 + length) return;
      deliver(bytes);
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    });
  });
}

const plain: SentRequest = { method: "GET", url: "", headers: [], body: Buffer.alloc(0), raw: null };

interface Part extends Partial<Omit<SentRequest, "body">> {
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly noHost?: true;
}

/** A request to a new server, with its Host and the length of its body. */
async function request({ path = "/api/?@=sysinfo", headers = [], body, noHost, ...rest }: Part): Promise<SentRequest> {
  const origin = await listen();
  const host = noHost ? [] : [["Host", new URL(origin).host] as const];
  const length = body === undefined ? [] : [["Content-Length", `${Buffer.byteLength(body)}`] as const];
  return {
    ...plain,
    url: origin + path,
    headers: [...host, ...headers, ...length],
    body: Buffer.from(body ?? ""),
    ...rest,
  };
}

/** Runs the line in sh, which prints the response; returns what the server received. */
async function execute(line: string, env: Record<string, string> = { API_KEY: KEY }): Promise<Buffer> {
  const run = promisify(execFile)("sh", ["-c", line], { env: { PATH: process.env.PATH, ...env } });
  // Some commands exit with a code of their own.
  expect((await run.catch((error: { stdout: string }) => error)).stdout).toMatch(/^HTTP\/1\.1 200 OK/);
  return received;
}

function split(bytes: Buffer) {
  const end = bytes.indexOf("\r\n\r\n");
  const [line, ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
  return { line, fields: fields.sort(), body: bytes.subarray(end + 4) };
}

/** The bytes of a request, with the key expanded. */
function expected({ method, url, headers, body }: SentRequest) {
  const expand = (text: string) => text.replaceAll("$API_KEY", () => KEY);
  const bytes = Buffer.from(expand(body.toString("latin1")), "latin1");
  const fields = headers.map(([name, value]) =>
    /^content-length$/i.test(name) ? `${name}: ${bytes.length}` : `${name}:${value && ` ${expand(value)}`}`,
  );
  return { line: `${method} ${url.replace(/^\w+:\/\/[^/]+/, "")} HTTP/1.1`, fields: fields.sort(), body: bytes };
}

const OWN = { "User-Agent": "mine/1", accept: "*/*", "Accept-Encoding": "gzip", Connection: "close" };
const SCRIPTS = "a\n\tдва\n\n漢";
const BYTES = Buffer.from([...Array(256).keys(), 37, 92, 39, 10]);
const LONG = `{"@":"user.create","data":{"name":"${"x".repeat(70_000)}"}}`;

const cases: readonly [title: string, part: Part][] = [
  ["a GET", {}],
  ["the client's own fields", { headers: Object.entries(OWN) }],
  ["an empty field", { headers: [["X-API-KEY", ""]] }],
  [
    "a repeated field",
    {
      headers: [
        ["X-PLATFORM", "web"],
        ["x-platform", "it's"],
      ],
    },
  ],
  ["no Host", { noHost: true }],
  [
    "a key in a field",
    {
      headers: [
        ["X-API-KEY", "$API_KEY"],
        ["X", "a$API_KEY'b$API_KEY"],
      ],
    },
  ],
  ["odd characters in the address", { path: "/api/../api/./?@=a{b}[1-3]&x='\\|^`\"<>%zz;&&q=*" }],
  ["a fragment", { path: "/api/?@=sysinfo#part" }],
  ["HEAD", { method: "HEAD" }],
  ["an invented method", { method: "BREW" }],
  ["a JSON body", { method: "POST", headers: [["Content-Type", "application/json"]], body: '{"a":"it\'s"}' }],
  ["a key in the body", { method: "POST", body: '{"k":"$API_KEY"}' }],
  ["a body that looks like a file name", { method: "POST", body: "@/etc/passwd" }],
  ["a body with line ends and other scripts", { method: "PUT", body: SCRIPTS }],
  ["bytes that are no text", { method: "POST", body: BYTES }],
  ["bytes that begin with a dash", { method: "POST", body: "-\r" }],
  ["a long body", { method: "POST", body: LONG }],
  ["an empty body", { method: "POST", body: "" }],
  ["a body with GET", { body: "body" }],
  ["a body with HEAD", { method: "HEAD", body: "body" }],
  ["a Latin-1 field", { headers: [["X-Name", "Zo\u00eb"]] }],
  ["a very long field", { headers: [["X-Long", "y".repeat(140_000)]] }],
];

describe("curlLine", () => {
  it.each(cases)("sends %s byte for byte", async (_title, part) => {
    const sent = await request(part);
    expect(split(await execute(curlLine(sent)))).toEqual(expected(sent));
  });

  const raw = [
    ["a request written on a socket", "GET /api/ HTTP/1.0\r\nHost : x\r\nX-%s: 100% \\n 'q' \"d\" $HOME `id`\r\n\r\n"],
    ["a key in it", "GET /?X-API-KEY=$API_KEY HTTP/1.1\r\nX-API-KEY: $API_KEY\r\n\r\n"],
    ["NUL and bare line feeds", "GET / HTTP/1.1\nX: \u0000\u0001\u00fe\n\r\n\r\n"],
    ["long runs", `GET /${"a".repeat(9000)} HTTP/1.1\r\nX: ${"'".repeat(600)}${"%".repeat(600)}\r\n\r\n`],
    ["one long run in front", `${"a".repeat(600)}\r\n\r\n`],
  ] as const;
  it.each(raw)("sends %s byte for byte", async (_title, text) => {
    const bytes = await execute(curlLine(await request({ raw: Buffer.from(text, "latin1") })));
    expect(bytes.toString("latin1")).toBe(text.replaceAll("$API_KEY", () => KEY));
  });

  it("expands the names it is given, the longest first", async () => {
    const sent = await request({ headers: [["X", "$API_KEY_2 $API_KEY $HOME"]] });
    const bytes = await execute(curlLine(sent, ["API_KEY", "API_KEY_2"]), { API_KEY: "one", API_KEY_2: "two" });
    expect(split(bytes).fields).toContain("X: two one $HOME");
    expect(curlLine(sent, [])).toContain("'X: $API_KEY_2 $API_KEY $HOME'");
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
    const headers = values.map((text, index) => [`X-${index}`, text] as const);
    const raw = Buffer.from(`GET /?${values.join("&")} HTTP/1.0\r\n\r\n`);
    const replayed = (sent: SentRequest) => {
      const text = curlLine(redactor.exchange({ request: sent, answer: null, error: null, durationMs: 0 }).request);
      expect(text.toLowerCase()).not.toContain(value.slice(4, 12).toLowerCase());
      expect(text.toLowerCase()).not.toContain(value.slice(-8).toLowerCase());
      return execute(text, { API_KEY: value });
    };
    const sent = await request({ headers, path: `/?a=${value.slice(0, -1)}` });
    expect(split(await replayed(sent))).toEqual(expected(sent));
    expect((await replayed(await request({ raw }))).toString()).toBe(raw.toString());
  });

  it("takes openssl for TLS and nc for bytes that telnet would double", () => {
    const bytes = Buffer.from("GET /\xff", "latin1");
    const line = (url: string, raw = bytes) => curlLine({ ...plain, url, raw });
    expect(line("https://one.invalid/api/")).toBe(
      "printf 'GET /\\377' | openssl s_client -quiet -connect one.invalid:443 -servername one.invalid",
    );
    expect(line("https://[::1]:8443/")).toBe("printf 'GET /\\377' | openssl s_client -quiet -connect '[::1]:8443'");
    expect(line("http://[::1]:8080/")).toBe("printf 'GET /\\377' | nc ::1 8080");
    expect(line("http://one.invalid/")).toBe("printf 'GET /\\377' | nc one.invalid 80");
    expect(line("http://one.invalid/", Buffer.alloc(0))).toMatch(/^printf '' \| curl .* telnet:\/\/one\.invalid:80$/);
  });
});
