import { contract, type SystemInformation } from "../../generated/operations.ts";
import type { Clock } from "../server/clock.ts";
import type { Handler } from "./handler.ts";

const runtime = `Node.js ${process.versions.node}`;

/** D27: the facts of the landing page, and the time. The runtime is named without the machine it runs on. */
export const systemInformation = (clock: Clock, clientAddress: string, method: string): SystemInformation => ({
  status: "Operational",
  version: contract.version,
  server: contract.title,
  runtime,
  clientAddress,
  requestMethod: method === "HEAD" ? "HEAD" : "GET",
  time: clock.now().toISOString(),
});

export const sysinfo: Handler<"sysinfo"> = (_, { clock, clientAddress, method }) =>
  systemInformation(clock, clientAddress, method);
