import { contract } from "../../contract.ts";
import { checksOf } from "../list.ts";
import { credentials } from "./list.ts";

/** For some operations the placement is a given requirement: there it is also tested without decided rules. */
const placements = contract.requirements.filter(({ id }) => id.endsWith("/placements"));

export const credentialLists = [
  ...checksOf(
    [
      ...["credentials/public", "credentials/scope", "credentials/missing", "credentials/platform"],
      ...["credentials/platform-of-key", "credentials/same-twice", "credentials/conflict"],
      ...["credentials/empty", "credentials/whole", "credentials/header-case", "credentials/query-case"],
      ...["credentials/nowhere-else", "credentials/expired", "credentials/revoked", "credentials/invalid"],
      "credentials/never-shown",
    ],
    credentials,
  ),
  ...checksOf(
    placements.map(({ id }) => id),
    credentials,
    "combinations",
  ),
];
