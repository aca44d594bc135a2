import type { Types } from "../../generated/contract.ts";
import type { Handlers } from "../server/handler.ts";
import { docsGet } from "./docs-get.ts";
import { docsList } from "./docs-list.ts";
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
  "docs.list": docsList,
  "docs.get": docsGet,
};
