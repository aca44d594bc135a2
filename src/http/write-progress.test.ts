import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { moment } from "../test/wire.ts";
import { WriteProgress } from "./write-progress.ts";

describe("progress of what was written", () => {
  it("is made by each part that the client takes, not only by the whole", async () => {
    const { happened, happen } = moment<Socket>();
    const server = createServer(happen).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const client = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1").pause();
    const socket = (await happened).on("error", () => {});
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    const progress = new WriteProgress(socket);
    expect([progress.stalledMs(1_000), progress.stalledMs(90_000)]).toEqual([0, 0]);

    const size = 64 * 1024 * 1024;
    socket.write(Buffer.alloc(size));
    progress.stalledMs(100_000);
    expect(progress.stalledMs(130_000)).toBe(30_000);

    let received = 0;
    client.on("data", ({ length }: Buffer) => {
      received += length;
      if (received > size / 2) client.pause();
    });
    client.resume();
    await once(client, "pause");
    expect(socket.writableLength).toBe(size);
    expect(progress.stalledMs(160_000)).toBe(0);
    expect(progress.stalledMs(190_000)).toBe(30_000);

    client.removeAllListeners("data").resume();
    await once(socket, "drain");
    expect(progress.stalledMs(250_000)).toBe(0);
  });
});
