import { expect, it } from "vitest";
import { requestTo } from "../http/line.test-kit.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { sent } from "./exchange.ts";
import { begun } from "./run.test-kit.ts";

it("sends what may end its connection on one of its own", async () => {
  const url = await deploy();
  const run = begun(url);
  const on = run.client.connect();
  const { oracle } = run.suite;
  const connectionOf = async (target: string) => {
    const request = requestTo(url, { target });
    const { connection } = await sent(run, request, oracle.predict(request, run.world), on);
    return connection;
  };
  const target = "/api/?@=sysinfo";
  const tooLong = target.padEnd(oracle.contract.limits.targetBytes + 1, "x");
  const [first, other, last] = [
    await connectionOf(target),
    await connectionOf(tooLong),
    await connectionOf(target),
  ];
  on.destroy();
  run.client.close();
  expect(last).toBe(first);
  expect(other).not.toBe(first);
});
