import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { readConfig, startService } from "./atpoint.ts";
import { fresh, keyIn } from "./databases.ts";
import { patience } from "./patience.ts";

const CLIENTS = 24;
const ROUNDS = 10;

it("responds to every request of busy clients each time it is restarted", async () => {
  const { url: DATABASE_URL } = await fresh();
  const config = readConfig({ ...patience, DATABASE_URL, PORT: "0", LOG_LEVEL: "silent" });
  const answers: (readonly [status: number | undefined, connection: string | undefined])[] = [];
  let sent = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    const before = answers.length;
    const service = await startService(config);
    const key = await keyIn(service.storage.keys, "users:read", "users:write");
    const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };

    /**
     * Asks on one connection until an answer says that it is the last there; rejects when a request
     * is not answered.
     */
    const busy = async (client: number, agent: Agent) => {
      for (let connection: string | undefined; connection !== "close"; ) {
        sent += 1;
        const data = { name: "Ada", email: `${sent}@example.com` };
        const create = sent % 3 === 0 ? JSON.stringify({ "@": "user.create", data }) : undefined;
        const [method, query] = create ? ["POST", ""] : ["GET", "?@=user.list&limit=5"];
        const call = request(`${service.url}/api/${query}`, { agent, headers, method });
        call.end(create);
        const [answer] = await once(call, "response");
        await text(answer);
        connection = answer.headers.connection;
        answers.push([answer.statusCode, connection]);
        // In the middle of the others.
        if (client === 0 && answers.length > before + CLIENTS) closed ??= service.close();
      }
    };
    let closed: Promise<void> | undefined;
    const agents = Array.from(
      { length: CLIENTS },
      () => new Agent({ keepAlive: true, maxSockets: 1 }),
    );
    await Promise.all(agents.map((agent, client) => busy(client, agent)));
    await closed;
  }
  expect(answers).toHaveLength(sent);
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200, 201]));
  expect(answers.filter(([, connection]) => connection === "close")).toHaveLength(CLIENTS * ROUNDS);
});
