// Each way to break a connection is found by the script for it, at a server that is right but for
// that.

import type net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noGateway } from "../http/gateway.ts";
import { write } from "../http/write.ts";
import { lawsOf } from "../laws/index.ts";
import type { Request } from "../oracle/model-state.ts";
import { createOracle } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import { hooksOf } from "../proof/broken/index.ts";
import { serve, serveSocket } from "../proof/kits/server.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { tablesOf } from "../requests/generate.ts";
import { plainExchange } from "../run/exchange.ts";
import type { RunOptions } from "../run/options.ts";
import { begun } from "../run/run.test-kit.ts";
import { MissingPrecondition, type Script, type Suite } from "../run/state.ts";
import { limitScripts, socketScripts } from "./index.ts";
import { stalled } from "./timeouts.ts";

/** The socket scripts whose id matches. */
const scriptsOf = (pattern: RegExp): readonly Script[] =>
  packaged.scripts.filter(({ id }) => id.startsWith("socket ") && pattern.test(id));

interface Options extends Partial<RunOptions> {
  /** Whether each query is called once before. */
  readonly learns?: boolean;
  readonly suite?: Suite;
}

/** The first finding of these scripts at a deployment, without a preflight. */
async function playAt(
  url: string,
  scripts: readonly Script[],
  { learns = true, suite = packaged, ...options }: Options,
) {
  const run = begun(url, { isSlow: true, ...options }, suite);
  if (learns)
    for (const operation of Object.values(suite.oracle.contract.operations))
      if (operation.method === "GET") await plainExchange(run, operation, operation.example);
  try {
    for (const script of scripts)
      try {
        for await (const finding of script.run(run, () => {})) return finding;
      } catch (error) {
        if (!(error instanceof MissingPrecondition)) throw error;
      }
    return null;
  } finally {
    run.client.close();
  }
}

describe("a broken server", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const find = async (id: string, script: RegExp, options: Options = {}) => {
    const { credentials } = service;
    const { url, faults, close } = await startProxy(hooksOf(id), service);
    const scripts = scriptsOf(script);
    expect(scripts).toHaveLength(1);
    // What waits for a time-out shows it of any request.
    const learns = scripts.every(({ slow }) => !slow);
    const finding = await playAt(url, scripts, { credentials, learns, ...options });
    await close();
    expect(faults).toEqual([]);
    return finding;
  };

  it.each<readonly [id: string, script: RegExp]>([
    ["leaves a body unread when it refuses", /requests ahead/],
    ["ends the connection behind a rejection without a word", /requests ahead/],
    ["answers with the id of the one before", /requests in segments/],
    ["names the operation before on a connection", /requests ahead/],
    ["finds nothing behind a head that it has refused", /requests behind an end/],
    ["forgets what came before what it cannot read", /requests behind an end/],
    ["reads on after Connection: close", /requests behind a close/],
    ["counts the fields of several requests together", /many fields/],
    ["keeps X-API-KEY for the rest of a connection", /without credentials in turn/],
    ["takes the caller before for every later one", /wrong key in turn/],
    ["parallel requests share the id", /in parallel/],
    ["takes nobody for the caller that is being served", /in parallel/],
    ["a rejection has length and chunks", /requests ahead/],
    ["a success has no last chunk", /lengths of responses$/],
    ["answers HTTP/1.0 in chunks", /socket HTTP/],
    ["has a body for HEAD that it refuses", /rejections of HEAD/],
    ["reads chunks, whatever the length", /codings that contradict/],
    ["reads no body by a length that it does not know", /lengths that contradict/],
    ["reads the chunks of HTTP/1.0", /chunks in HTTP/],
    ["serves what is no request", /bytes that are no request/],
    ["serves a line that is no field", /lines that are no fields/],
    ["opens a tunnel", /CONNECT/],
    ["resets the connection behind a refusal", /body far above the limit$/],
    ["leaves a body unread of GET", /body limit on GET/],
    ["breaks when a client goes away without an answer", /socket left at once/],
    ["breaks at what is no request", /socket left$/],
    ["carries out half a command", /without their last byte/],
    ["wants a request line in one segment", /byte by byte/],
    ["adds a member to all that comes after __proto__", /members that change/],
    ["ends the connection of half a body", /half a body/],
    ["gives no time to half a head", /half a head/],
    ["gives clients no time to read", /does not read/],
  ])("%s: %s", async (id, script) => {
    expect(await find(id, script)).toMatchObject({ source: expect.stringMatching(/script|law/) });
  });

  it("keeps a connection open that is to end", async () => {
    const finding = await find("keeps a connection open that is to end", /lengths of responses$/, {
      timeoutMs: 500,
    });
    expect(finding).toMatchObject({ aspect: "connection", actual: "response 200, then silence" });
  });

  it.each<readonly [id: string, script: RegExp]>([
    ["a service that counts calls refuses nobody", /no calls left/],
    ["a service that counts calls does not say how long to wait", /no calls left/],
    ["a service that counts calls counts all of them alike, valid keys too", /valid key/],
  ])("%s", async (id, script) => {
    const finding = await find(id, script, { learns: false });
    expect(finding?.requirement).toBe(
      script.source === "valid key" ? "limits/valid-key" : "limits/refused",
    );
  });

  it.each([
    ["no commands", "GET", true],
    ["no keys", "GET POST", false],
    ["neither", "GET", false],
  ] as const)(
    "is none if it is right, for a contract with %s too",
    async (_, methods, isGuarded) => {
      const { contract, operationExtensions } = packaged.oracle;
      const operations = Object.entries(contract.operations).filter(
        ([, { method, auth }]) => methods.includes(method) && (isGuarded || !auth),
      );
      const oracle = createOracle(
        { ...contract, operations: Object.fromEntries(operations) },
        operationExtensions,
      );
      const quick = [...socketScripts(oracle.contract), ...limitScripts(oracle.contract)].filter(
        ({ slow }) => !slow,
      );
      const suite = {
        ...packaged,
        oracle,
        laws: lawsOf(oracle.contract),
        tables: tablesOf(oracle.contract),
        paths: [],
      };
      expect(
        await playAt(service.url, quick, { credentials: service.credentials, suite }),
      ).toBeNull();
    },
  );

  it("has the fields of a gateway in each request, and in bytes that are no request", async () => {
    const bare: string[] = [];
    const look = <T>(bytes: Buffer, same: T): T => {
      if (bytes.includes("\r\n") && !bytes.includes("X-Gate: open"))
        bare.push(bytes.toString("latin1"));
      return same;
    };
    const hooks = {
      request: (request: Request) => look(write(request, ""), request),
      unreadable: (bytes: Buffer) => look(bytes, null),
    };
    const { url, close } = await startProxy(hooks, service);
    const { credentials } = service;
    const gateway = { ...noGateway, fields: [["X-Gate", "open"] as const] };
    const scripts = scriptsOf(/no fields|no request|in HTTP|CONNECT|byte by|behind an end/);
    expect(await playAt(url, scripts, { credentials, gateway })).toBeNull();
    expect(bare).toEqual([]);
    await close();
  });

  it("is shown with all bytes of its connection", async () => {
    const finding = await find("keeps Accept for the rest of a connection", /requests in turn/);
    const { written = "", exchanges } = finding ?? {};
    const [{ request } = { request: null }] = exchanges ?? [];
    expect(written.match(/X-Request-Id: [0-9a-f]{16}-\S+/g)?.length).toBeGreaterThan(10);
    expect(request && written.includes(write(request, "").toString("latin1").slice(0, -2))).toBe(
      true,
    );
  });
});

describe("a client that does not read", () => {
  const RESPONSE = `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${"x".repeat(100_000)}`;
  const LIMIT_MS = 3000;

  /**
   * Responds to the first request of each connection, and does this with one that asks for more.
   */
  const play = async (stall: (socket: net.Socket) => void) => {
    const url = await serveSocket((socket) => {
      let requests = 0;
      socket.on("data", (chunk) => {
        const before = requests;
        requests += chunk.toString("latin1").split("\r\n\r\n").length - 1;
        if (before === 0) socket.write(RESPONSE);
        if (before <= 1 && requests > 1) stall(socket);
      });
    });
    return await playAt(url, [stalled(LIMIT_MS, LIMIT_MS + 1500)], { learns: false });
  };

  const after = (end: (socket: net.Socket) => void) => (socket: net.Socket) =>
    void setTimeout(() => end(socket), LIMIT_MS + 500);
  const stalledClient = { requirement: "http/stalled-client", aspect: "connection" };

  it.each<readonly [how: string, stall: (socket: net.Socket) => void, finding: object | null]>([
    ["right to be disconnected by a reset", after((socket) => socket.resetAndDestroy()), null],
    [
      "right to be disconnected in order, when all has been read",
      after((socket) => socket.end()),
      null,
    ],
    ["not right to be kept", () => {}, stalledClient],
    ["not right to be disconnected at once", (socket) => socket.resetAndDestroy(), stalledClient],
  ])("is %s", async (_, stall, finding) => {
    expect(await play(stall)).toEqual(finding && expect.objectContaining(finding));
  });
});

const CONTACT = "Contact: mailto:a@b.example\n";
const [LATER, BEFORE] = [86_400_000, -1].map(
  (ms) => `Expires: ${new Date(Date.now() + ms).toISOString()}\n`,
);

it.each<readonly [text: string, type: string, aspect: string | null]>([
  [`${CONTACT}${LATER}`, "text/plain; charset=utf-8", null],
  [`${CONTACT}${BEFORE}`, "text/plain", "body"],
  [`${CONTACT}${LATER}${LATER}`, "text/plain", "body"],
  [`${LATER}`, "text/plain", "body"],
  [`${CONTACT}${LATER}`, "text/html", "status"],
])("%j as %s", async (text, type, aspect) => {
  const url = await serve((_, response) =>
    response.writeHead(200, { "Content-Type": type }).end(text),
  );
  const finding = await playAt(url, scriptsOf(/security/), { learns: false });
  expect(finding?.aspect ?? null).toBe(aspect);
});
