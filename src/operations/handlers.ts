import type { Types } from "../../generated/contract.ts";
import { documentHandlers } from "../server/documents/operations.ts";
import type { Handlers } from "../server/handler.ts";
import type { Services } from "./handler.ts";
import { sysinfo } from "./sysinfo.ts";
import { testHealth } from "./test-health.ts";
import { userCreate } from "./user-create.ts";
import { userList } from "./user-list.ts";

/** One entry per operation of the spec; a missing or extra one does not compile. */
export const handlers: Handlers<Types, Services> = {
  sysinfo,
  "test.health": testHealth,
  "user.list": userList,
  "user.create": userCreate,
  ...documentHandlers,
};
