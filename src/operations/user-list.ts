import { pageOf } from "../server/resources/pages.ts";
import type { Handler } from "./handler.ts";

/** D26: keyset paging. */
export const userList: Handler<"user.list"> = (input, { services, deadline }) =>
  pageOf("user.list", input, services.users.page, deadline);
