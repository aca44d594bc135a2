import type { Contract } from "./contract.ts";
import { CREDENTIALS, type ParsedRequest } from "./parsed-request.ts";

/** A group of requests for which a server may decide wrongly. */
export interface Scope {
  readonly takes: (reading: ParsedRequest) => boolean;
  /**
   * The first step of the order of checks at which a server knows whether a request is in the
   * group.
   */
  readonly since: string;
}

/** All requests, those of one operation, HEAD, and those with credentials in the query. */
export const scopesOf = (contract: Contract): Readonly<Record<string, Scope>> => ({
  all: { since: "readHead", takes: () => true },
  ...Object.fromEntries(
    Object.keys(contract.operations).map((id): [string, Scope] => [
      id,
      { since: "checkMethod", takes: ({ operation }) => operation?.id === id },
    ]),
  ),
  HEAD: { since: "readHead", takes: ({ method }) => method === "HEAD" },
  "credentials in the query": {
    since: "readHeaders",
    takes: ({ pairs }) => CREDENTIALS.some((name) => pairs.some(([one]) => one === name)),
  },
});
