import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import supertest from "supertest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requirements as contract } from "../../generated/requirements.ts";
import { defects } from "./defects.ts";
import { type BrokenServer, startBroken } from "./server.ts";

const users = { items: [{ id: "1", name: "Ada", email: "ada@example.com" }] };
const documents = { items: [{ name: "README", operation: "docs.get.README" }] };

/** As much of the contract as the defects below change. */
function good(request: IncomingMessage, body: string): { status: number; json: unknown; type?: string } {
  const query = new URL(request.url ?? "", "http://good.invalid").searchParams;
  const name = request.method === "POST" ? (JSON.parse(body) as Record<string, unknown>)["@"] : query.get("@");
  const problem = (status: number, code: string) => ({ status, json: { code }, type: "application/problem+json" });
  if (name === "docs.list") return { status: 200, json: documents };
  if (name !== "user.list" && name !== "user.create") return problem(404, "operation-not-found");
  if ((request.headers["x-api-key"] ?? query.get("X-API-KEY")) !== "good-key")
    return problem(401, "credentials-missing");
  return name === "user.create"
    ? { status: 201, json: users.items[0] }
    : { status: 200, json: { ...users, limit: query.get("limit") ?? "50" } };
}

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const { status, json, type = "application/json" } = good(request, body);
      response.writeHead(status, {
        "Content-Type": type,
        "Content-Encoding": "gzip",
        "Access-Control-Allow-Origin": "*",
      });
      response.end(gzipSync(JSON.stringify(json)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

const key = { "X-API-KEY": "good-key", "X-PLATFORM": "web" };

async function broken(id: string, use: (agent: ReturnType<typeof supertest>, server: BrokenServer) => Promise<void>) {
  const defect = defects.find((each) => each.id === id);
  if (!defect) throw new Error(`no defect ${id}`);
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = await startBroken(defect, target, 0, { credentials: { key: "good-key", platform: "web" } });
  try {
    await use(supertest(running.url), running);
    expect(running.faults).toEqual([]);
  } finally {
    await running.close();
  }
}

describe("the defects", () => {
  it("have ids of their own, and each names what it breaks and who must see it", () => {
    expect(new Set(defects.map(({ id }) => id)).size).toBe(defects.length);
    for (const { requirements, catches } of defects) expect(requirements.length * catches.length).toBeGreaterThan(0);
  });

  it("break requirements that the contract has", () => {
    const known = new Set<string>(["*", ...contract.map(({ id }) => id)]);
    expect(defects.flatMap(({ requirements }) => requirements).filter((id) => !known.has(id))).toEqual([]);
  });
});

describe("a wholesale server", () => {
  it("refuses everything", () =>
    broken("wholesale/refuses-everything", async (agent) => {
      const answer = await agent.get("/api/?@=docs.list");
      expect(answer.status).toBe(403);
      expect(answer.type).toBe("application/problem+json");
    }));

  it("accepts everything", () =>
    broken("wholesale/accepts-everything", async (agent) => {
      const answer = await agent.delete("/nowhere");
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({});
    }));

  it("answers at random, alike for the same seed", async () => {
    const draw = async () => {
      const statuses: number[] = [];
      await broken("wholesale/answers-at-random", async (agent) => {
        for (let drawn = 0; drawn < 12; drawn++) {
          statuses.push(
            (
              await agent
                .get("/")
                .redirects(0)
                .buffer(true)
                .parse((_, done) => done(null, null))
            ).status,
          );
        }
      });
      return statuses;
    };
    const statuses = await draw();
    expect(new Set(statuses).size).toBeGreaterThan(3);
    expect(await draw()).toEqual(statuses);
  });

  it("hangs", () =>
    broken("wholesale/hangs", async (agent) => {
      await expect(agent.get("/").timeout(100)).rejects.toThrow(/timeout/i);
    }));

  it("closes every connection", () =>
    broken("wholesale/closes", async (agent) => {
      await expect(agent.get("/")).rejects.toThrow(/hang up|ECONNRESET/);
    }));

  it("answers with garbage", () =>
    broken("wholesale/garbage", async (agent) => {
      await expect(agent.get("/")).rejects.toThrow(/Parse Error/);
    }));
});

describe("a wholesale server, asked what is no request,", () => {
  it.each(["refuses-everything", "accepts-everything", "answers-at-random", "garbage"])("%s all the same", (id) =>
    broken(`wholesale/${id}`, async (_agent, { url }) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1").end("nonsense\r\n\r\n");
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(id === "garbage" ? /^no HTTP/ : /^HTTP\/1\.1 \d+ /);
      socket.destroy();
    }),
  );
});

describe("a broken server", () => {
  it("accepts unknown operations", () =>
    broken("dispatch/unknown-operation-accepted", async (agent) => {
      expect((await agent.get("/api/?@=nothing")).status).toBe(200);
      expect((await agent.get("/api/?@=docs.list")).body).toEqual(documents);
    }));

  it("trims the operation's name", () =>
    broken("dispatch/operation-trimmed", async (agent) => {
      expect((await agent.get("/api/?@=%20docs.list%20")).body).toEqual(documents);
      expect((await agent.get("/api/?@=docs.list")).body).toEqual(documents);
      expect((await agent.get("/api/")).status).toBe(404);
      expect((await agent.post("/api/").set(key).send({ "@": " user.create " })).status).toBe(201);
    }));

  it("needs no key", () =>
    broken("credentials/not-required", async (agent) => {
      expect((await agent.get("/api/?@=user.list")).status).toBe(200);
      expect((await agent.get("/api/?@=user.list&X-API-KEY=wrong&X-PLATFORM=none")).status).toBe(200);
    }));

  it("ignores a key in the query", () =>
    broken("credentials/query-ignored", async (agent) => {
      expect((await agent.get("/api/?@=user.list&X-API-KEY=good-key")).status).toBe(401);
      expect((await agent.get("/api/?@=user.list").set(key)).status).toBe(200);
    }));

  it("answers 200 for 201", () =>
    broken("user.create/answers-200", async (agent) => {
      expect((await agent.post("/api/").set(key).send({ "@": "user.create" })).status).toBe(200);
      expect((await agent.post("/api/").send({ "@": "user.create" })).status).toBe(401);
    }));

  it("sends problems as text", () =>
    broken("errors/text-plain", async (agent) => {
      expect((await agent.get("/api/?@=nothing")).type).toBe("text/plain");
      expect((await agent.get("/api/?@=docs.list")).type).toBe("application/json");
    }));

  it("answers user.list with docs.list", () =>
    broken("user.list/answers-documents", async (agent) => {
      expect((await agent.get("/api/?@=user.list").set(key)).body).toEqual(documents);
      expect((await agent.get("/api/?@=user.list")).status).toBe(401);
    }));

  it("ignores the limit", () =>
    broken("user.list/limit-ignored", async (agent) => {
      expect((await agent.get("/api/?@=user.list&limit=1").set(key)).body).toMatchObject({ limit: "50" });
      expect((await agent.get("/api/?@=docs.list")).status).toBe(200);
    }));

  it("has other headers for HEAD", () =>
    broken("method/head-other-headers", async (agent) => {
      expect((await agent.head("/api/?@=docs.list")).type).toBe("text/html");
      expect((await agent.get("/api/?@=docs.list")).type).toBe("application/json");
    }));

  it("names its framework", () =>
    broken("headers/powered-by", async (agent) => {
      expect((await agent.get("/api/?@=docs.list")).headers["x-powered-by"]).toBe("Koa");
    }));

  it("sets a cookie", () =>
    broken("headers/cookie", async (agent) => {
      expect((await agent.get("/api/?@=docs.list")).headers["set-cookie"]).toHaveLength(1);
    }));

  it("reflects the origin", () =>
    broken("cors/origin-reflected", async (agent) => {
      const cors = async (origin: Record<string, string>) =>
        (await agent.get("/api/?@=docs.list").set(origin)).headers["access-control-allow-origin"];
      expect(await cors({ Origin: "https://evil.example" })).toBe("https://evil.example");
      expect(await cors({})).toBe("*");
    }));
});
