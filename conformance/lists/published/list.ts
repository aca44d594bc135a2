import type { Reply } from "../../client/reply.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { BROWSER } from "../../laws/html.ts";
import { FILES } from "../../models/model.ts";
import { membersOf, successSchema } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import type { Asking, List } from "../list.ts";

/** Resources next to the endpoint (D11, D12): the contract, the reference page and its files, the API catalog. */

export const CONTRACT = FILES.filter((path) => path.startsWith("/openapi"));
export const PAGE = "/reference";
export const CATALOG = "/.well-known/api-catalog";
/** The codings of the contract. */
export const CODINGS = ["identity", "gzip", "br"] as const;

type Fields = Request["fields"];
type Asked<Result = void> = Generator<readonly [string, Request], Result, Reply | undefined>;

const get =
  ({ api }: Asking, target: string) =>
  (headers: Fields = [], method = "GET") =>
    wireOfLiteral(api, { method, target, headers });

/**
 * One representation: for any caller, and for one who has it already; on a socket, where a body after 304 would be visible.
 * Returns its tag.
 */
export function* again(of: string, ask: (headers?: Fields, method?: string) => Request): Asked<string> {
  const reply = yield [of, ask()];
  const tag = reply?.header("etag") ?? '"tag"';
  for (const method of ["GET", "HEAD"]) {
    yield [of, ask([], method)];
    for (const value of [tag, `"other", ${tag}`, '"other"']) yield [of, ask([["If-None-Match", value]], method)];
  }
  const ends = ["Connection", "close"] as const;
  yield [of, ask([["If-None-Match", tag], ends])];
  return tag;
}

export const served: List = function* (asking) {
  const refusing = CODINGS.map((one) => `${one};q=0`).join(", ");
  for (const target of CONTRACT) {
    const ask = get(asking, target);
    for (const method of ["GET", "HEAD"]) yield ["contract/served", ask([], method)];
    for (const coding of [...CODINGS, refusing]) yield ["contract/served", ask([["Accept-Encoding", coding]])];
    yield ["contract/served", ask([["Accept", BROWSER]])];
  }
};

export const contractTags: List = function* (asking): Asked {
  for (const target of CONTRACT) yield* again("contract/etag", get(asking, target));
  for (const coding of CODINGS.slice(1))
    yield* again("contract/etag", (headers = [], method = "GET") =>
      get(asking, "/openapi.json")([["Accept-Encoding", coding], ...headers], method),
    );
};

export const robots: List = function* (asking): Asked {
  for (const method of ["GET", "HEAD"]) yield ["http/robots", get(asking, "/robots.txt")([], method)];
};
export const robotsTag: List = function* (asking): Asked {
  yield* again("http/robots-etag", get(asking, "/robots.txt"));
};

/** Its version, and that of each operation that reports one. */
export const version: List = function* (asking) {
  const { operations, oracle, call } = asking;
  for (const operation of operations)
    if ("version" in membersOf(oracle.contract, successSchema(operation) ?? {}))
      yield ["contract/version", call(operation)];
  for (const target of CONTRACT) yield ["contract/version", get(asking, target)()];
};

/** The contract first: it lists the deployments; then the page: the files that it loads are known then. */
export const others: List = function* (asking): Asked {
  for (const target of ["/openapi.json", PAGE]) yield ["reference/etag", get(asking, target)()];
  for (const target of [...asking.model.files].filter((path) => ![...CONTRACT, "/robots.txt"].includes(path)))
    yield* again("reference/etag", get(asking, target));
};
