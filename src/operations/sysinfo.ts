import { contract } from "../../generated/contract.ts";
import { systemInformation } from "../server/system-information.ts";
import type { Handler } from "./handler.ts";

/** D27: what the landing page shows. */
export const sysinfo: Handler<"sysinfo"> = (_, { now, clientAddress, method }) =>
  systemInformation(contract, now(), clientAddress, method);
