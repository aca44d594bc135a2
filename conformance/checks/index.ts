import { body } from "./body/index.ts";
import type { Check } from "./check.ts";
import { credentials } from "./credentials/index.ts";
import { limits } from "./credentials/limits.ts";
import { dispatch } from "./dispatch/index.ts";
import { errors } from "./errors/index.ts";
import { givenDispatch } from "./given/dispatch.ts";
import { givenOperations } from "./given/operations.ts";
import { paging } from "./paging.ts";
import { userCreate } from "./user-create/index.ts";
import { userList } from "./user-list/index.ts";
import { wire } from "./wire/index.ts";

/** The hand-written checks. */
export const written: readonly Check[] = [
  ...dispatch,
  ...givenDispatch,
  ...givenOperations,
  ...credentials,
  ...userList,
  ...paging,
  ...wire,
  ...body,
  ...errors,
  ...userCreate,
  ...limits,
];
