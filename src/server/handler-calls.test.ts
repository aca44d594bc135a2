import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import supertest from "supertest";
import { expect, it } from "vitest";
import { definition } from "../service.ts";
import { databasesUnderTest, locked } from "../test/databases.ts";
import { start } from "../test/running-service.ts";
import { dial, get, moment, post } from "../test/wire.ts";
import type { RequestContext } from "./handler.ts";
import type { Database } from "./storage/database.ts";

const PAGE = { items: [] };
const LIST = "/api/?@=user.list";

type Handler = (
  input: unknown,
  context: RequestContext<{ readonly database: Database }>,
) => unknown;

/** A service whose `user.list` is another handler. */
async function serving(userList: Handler, env: NodeJS.ProcessEnv = {}) {
  const running = await start(
    { HANDLER_TIMEOUT_MS: "1", DRAIN_TIMEOUT_MS: "1", ...env },
    undefined,
    {
      handlers: { ...definition.handlers, "user.list": userList },
      services: (database, parts) => ({
        ...Object(definition.services(database, parts)),
        database,
      }),
    },
  );
  const { service, key } = running;
  const fields = { "X-API-KEY": key, "X-PLATFORM": "web" };
  const asCaller = supertest.agent(service.url).set(fields);
  const port = Number(new URL(service.url).port);
  const head = get(LIST, ...Object.entries(fields).map((field) => field.join(": ")));
  return { ...running, asCaller, port, head, api: supertest(service.url) };
}
type Running = Awaited<ReturnType<typeof serving>>;

async function metric({ service }: Pick<Running, "service">, name: string): Promise<number> {
  const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
  return Number(new RegExp(`^atpoint_${name} (.*)$`, "m").exec(text)?.[1]);
}

async function lines({ logged }: Pick<Running, "logged">, message: string) {
  return (await logged()).filter(({ msg }) => msg === message);
}

it("counts no upload, and a handler that ignores its deadline until it has ended", async () => {
  const { happened, happen } = moment<typeof PAGE>();
  const running = await serving(() => happened, { MAX_IN_FLIGHT: "1" });
  const { api, asCaller, port } = running;
  const upload = post("Content-Length: 9", "Content-Type: application/json").replace("/", "/api/");
  const { socket } = dial(port, upload);
  expect((await asCaller.get(LIST).expect(503)).body.code).toBe("deadline-exceeded");
  expect((await api.get("/").expect(503)).body.code).toBe("overloaded");
  expect(await metric(running, "requests_overdue")).toBe(1);
  expect(await metric(running, "requests_in_flight")).toBe(1);
  const facts = { operation: "user.list", requestId: expect.any(String) };
  expect(await lines(running, "handler overdue")).toMatchObject([facts]);
  happen(PAGE);
  while ((await metric(running, "requests_in_flight")) > 0);
  expect(await metric(running, "requests_overdue")).toBe(0);
  await api.get("/").expect(200);
  expect(await lines(running, "overdue handler ended")).toMatchObject([facts]);
  socket.destroy();
});

const BOUND = { HANDLER_TIMEOUT_MS: "1800000" };
it.each<[string, NodeJS.ProcessEnv, (running: Running, client: Socket) => unknown, object, number]>(
  [
    ["its deadline", {}, () => {}, { code: "deadline-exceeded" }, 503],
    ["the end of grace", BOUND, ({ service }) => service.close(), { code: "shutting-down" }, 503],
    [
      "the end of its client",
      BOUND,
      (_, client) => client.resetAndDestroy(),
      { name: "ClientGone" },
      499,
    ],
  ],
)(
  "aborts the signal of a handler at %s, which may fail as it likes then",
  async (_, env, act, reason, status) => {
    const { happened: begun, happen } = moment<AbortSignal>();
    const running = await serving((_, { signal }) => {
      happen(signal);
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")));
      });
    }, env);
    const { socket } = dial(running.port, running.head);
    const signal = await begun;
    await act(running, socket);
    while ((await lines(running, "request")).length === 0) await setImmediate();
    expect(signal.reason).toMatchObject(reason);
    expect(await lines(running, "request")).toMatchObject([{ operation: "user.list", status }]);
    expect(await lines(running, "handler overdue")).toEqual([]);
    expect(await metric(running, "requests_overdue").catch(() => 0)).toBe(0);
    socket.destroy();
  },
);

it("does not abort the signal of a handler that has ended", async () => {
  const { happened, happen } = moment<AbortSignal>();
  const { asCaller, service } = await serving(async (_, { signal }) => {
    happen(signal);
    return PAGE;
  }, BOUND);
  await asCaller.get(LIST).expect(200);
  await service.close();
  expect((await happened).aborted).toBe(false);
});

it("shuts down while a handler holds a transaction for ever", async () => {
  const { happened, happen } = moment<void>();
  const forever: Handler = (_, { services }) =>
    services.database.transaction(() => {
      happen();
      return new Promise(() => {});
    });
  const running = await serving(forever, BOUND);
  const { answer } = dial(running.port, running.head);
  await happened;
  await running.service.close();
  expect(await answer).toMatch(/^HTTP\/1\.1 503 .*"code":"shutting-down"/s);
  expect(await lines(running, "handler overdue")).toHaveLength(1);
});

it.each(databasesUnderTest())(
  "gives up on a command under a key that waits for ever, and frees the database: $name",
  async (kind) => {
    const forever: Handler = (_, { once }) =>
      once({ record: "019c1395-e200-7000-8000-0123456789ab" }, () => new Promise(() => {}));
    const handlers = { ...definition.handlers, "user.create": forever };
    const { service, key } = await start({ HANDLER_TIMEOUT_MS: "50" }, kind, { handlers });
    const { body } = await supertest(service.url)
      .post("/api/")
      .set({ "X-API-KEY": key, "X-PLATFORM": "web", "Idempotency-Key": "k" })
      .send({ "@": "user.create", data: { name: "Ada", email: "ada@example.com" } });
    expect(body).toMatchObject({ status: 503, code: "deadline-exceeded" });
    while ((await metric({ service }, "requests_in_flight")) > 0);
    await service.storage.checkWritable();
  },
);

it.each(databasesUnderTest())(
  "gives up on what takes too long, on its statement too, and carries nothing out later: $name",
  async (kind) => {
    const { database, service, key, logged } = await start({ HANDLER_TIMEOUT_MS: "50" }, kind);
    const create = (user: number) =>
      supertest(service.url)
        .post("/api/")
        .set({ "X-API-KEY": key, "X-PLATFORM": "web", "Idempotency-Key": `k${user}` })
        .send({ "@": "user.create", data: { name: "Ada", email: `ada${user}@example.com` } });
    const lock = await locked(database.url);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(create));
    const late = { code: "deadline-exceeded" };
    for (const { body } of answers) expect(body).toMatchObject({ status: 503, ...late });
    expect(answers.map(({ body }) => body.detail).join()).toContain("may still have happened");
    expect(await lines({ logged }, "fault")).toContainEqual(expect.objectContaining(late));
    while ((await lock.waiting()) > 0);
    await lock.release();
    while ((await metric({ service }, "requests_in_flight")) > 0);
    expect(await database.run("select name from users")).toEqual([]);
  },
);

it("gives a handler a log that names its request, and hides what a caller may send", async () => {
  const running = await serving((_, { log, requestId, trace, caller }) => {
    const facts = { roomId: "r-1", guests: 2, ids: ["a", "b c"], mail: "ada@example.com" };
    log.warn("room is full", { ...facts, requestId: "forged", key: running.key });
    log.info(`called with ${running.key}`, { asked: requestId, traced: trace !== null });
    return caller ? PAGE : null;
  });
  await running.asCaller.get(LIST).set("X-Request-Id", "r-7").expect(200);
  const request = { requestId: "r-7", operation: "user.list" };
  expect(await lines(running, "room is full")).toMatchObject([
    {
      ...request,
      roomId: "r-1",
      guests: 2,
      ids: ["a", "[hidden]"],
      mail: "[hidden]",
      key: "[hidden]",
    },
  ]);
  expect(await lines(running, "[hidden]")).toMatchObject([
    { ...request, asked: "r-7", traced: false },
  ]);
  expect(JSON.stringify(await running.logged())).not.toContain(running.key);
});
