import { faulty, refusals, written } from "../checks/faults.ts";
import { simplest } from "../client/operation.ts";
import { wireOfLiteral } from "../client/send.ts";
import { wordOf } from "../client/word.ts";
import { type Asking, withheldFrom } from "../lists/list.ts";
import { FILES } from "../models/model.ts";
import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import type { Request } from "../oracle/world.ts";

/** One request of each kind of response. None of them changes anything. */

export const queriesOf = ({ operations }: Asking): readonly Operation[] =>
  operations.filter(({ method }) => method === "GET");

export const get = ({ api }: Asking, target: string, headers: Request["fields"] = [], method = "GET"): Request =>
  wireOfLiteral(api, { method, target, headers });

/** A page next to the endpoint. */
export const page = (asking: Asking): Request => get(asking, [...asking.model.files][0] ?? "/");

export const simple = (asking: Asking, headers: Request["fields"] = []): Request =>
  get(asking, `/api/?@=${simplest.name}`, headers);

/** A POST that passes every layer, and creates nothing. */
export function post(asking: Asking): Request {
  const command = asking.operations.find(({ method }) => method === "POST");
  if (command) return asking.call(command, { body: { "@": command.name, data: {} } });
  return { ...asking.call(simplest, { method: "POST" }) };
}

/** What this run may send. */
const allowed = (asking: Asking, requests: readonly Request[]): readonly Request[] =>
  requests.filter(
    (request) => withheldFrom(asking, request, asking.oracle.predict(request, asking.model), []) === null,
  );

/** Every operation: by HEAD, each name and each representation, for a caller who has it, without credentials and with wrong ones. */
export function callsOf(asking: Asking): readonly Request[] {
  const { api, operations, call } = asking;
  const good = { key: { header: api.key }, platform: { header: api.platform } };
  const wrong = { header: wordOf(api) };
  return allowed(
    asking,
    operations.flatMap((one) => {
      const plain = call(one);
      const isQuery = one.method === "GET";
      return [
        plain,
        ...(isQuery ? [{ ...plain, method: "HEAD" }, call(one, { headers: { "If-None-Match": "*" } })] : []),
        ...one.known.map((name) => get(asking, `/api/?@=${name}`)),
        ...(isQuery ? mediaTypesOf(one).map((accept) => call(one, { accept })) : []),
        ...(one.auth
          ? [
              ...(isQuery ? [call(one, { credentials: "query" })] : []),
              ...["none", { key: good.key }, { platform: good.platform }, { ...good, key: wrong }].map((credentials) =>
                call(one, { credentials }),
              ),
              call(one, { credentials: { ...good, platform: wrong } }),
            ]
          : []),
      ];
    }),
  );
}

/** Every rejection, next to one of each step. */
export const rejectedOf = (asking: Asking): readonly Request[] =>
  allowed(
    asking,
    refusals.map((one) => wireOfLiteral(asking.api, written(faulty(asking.api, one)))),
  );

/** Paths next to the endpoint, and the endpoint without an operation. */
export const pagesOf = (asking: Asking): readonly Request[] => [
  ...["/", "/no-such-path", `/api?@=${simplest.name}`, ...FILES].flatMap((path) =>
    ["GET", "HEAD"].map((method) => get(asking, path, [], method)),
  ),
  ...FILES.map((path) => get(asking, path, [["If-None-Match", "*"]])),
  get(asking, "/", [["Accept", "application/json"]]),
  ...["/api/", "/api", "/"].map((path) => get(asking, path, [["Origin", "https://page.example"]], "OPTIONS")),
  ...["/", "/robots.txt", "/api/"].map((path) => get(asking, path, [], "DELETE")),
];

/** Without those that differ in their credentials, or in what they accept. */
export const plainOf = (asking: Asking): readonly Request[] => [
  ...asking.operations.flatMap((one) => {
    const plain = asking.call(one);
    return one.method === "GET" ? [plain, { ...plain, method: "HEAD" }] : [plain];
  }),
  ...pagesOf(asking),
];
