import { contract, type Types } from "../generated/contract.ts";
import { migrations } from "./migrations.ts";
import type { Services } from "./operations/handler.ts";
import { handlers } from "./operations/handlers.ts";
import { publication } from "./publication.ts";
import { defineService } from "./server/define-service.ts";
import type { Definition } from "./server/definition.ts";
import { packageRoot } from "./server/settings/package.ts";
import { openUsers } from "./stores/users.ts";

/** This service: what differs from any other. */
export const definition = {
  name: "atpoint",
  contract,
  root: packageRoot(),
  publication,
  migrations,
  formerRecordColumn: "user_id",
  services: (database, server): Services => ({ ...server, users: openUsers(database) }),
  handlers,
} satisfies Definition;

export const service = defineService<Types>()(definition);
