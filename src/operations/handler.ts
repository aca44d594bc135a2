import type { OperationId, Types } from "../../generated/contract.ts";
import type { ServerServices } from "../server/definition.ts";
import type { Handler as HandlerOf } from "../server/handler.ts";
import type { Users } from "../stores/users.ts";

/** What handlers work with: each store, and parts of the server. */
export interface Services extends ServerServices {
  readonly users: Users;
}

export type Handler<Id extends OperationId> = HandlerOf<Types[Id], Services>;
