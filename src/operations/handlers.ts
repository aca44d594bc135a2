import type { OperationId } from "../../generated/operations.ts";
import { docsGet } from "./docs-get.ts";
import { docsList } from "./docs-list.ts";
import type { Handler } from "./handler.ts";
import { sysinfo } from "./sysinfo.ts";
import { testHealth } from "./test-health.ts";
import { userCreate } from "./user-create.ts";
import { userList } from "./user-list.ts";

/** One entry per operation of the spec; a missing or extra one does not compile. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  sysinfo,
  "test.health": testHealth,
  "user.list": userList,
  "user.create": userCreate,
  "docs.list": docsList,
  "docs.get": docsGet,
};
