import type { Exchange, Response } from "../exchange.ts";
import { MOST_FILE } from "../http/limits.ts";
import { createResponse } from "../http/response.ts";
import type { Target } from "../http/target.ts";
import { fieldsOf } from "../oracle/world.ts";
import type { Entry } from "./json-lines.ts";

/** An exchange with a response. */
export type Answered = Exchange & { readonly response: Response };

/** The target of a request below the prefix of the deployment; null if it is another one's. */
function targetIn(url: string, { origin, prefix }: Target): string | null {
  const written = /^[a-z][\w+.-]*:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? "";
  if (new URL(url).origin !== origin || !written.startsWith(prefix)) return null;
  const rest = written.slice(prefix.length);
  if (rest !== "" && !/^[/?#]/.test(rest)) return null;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** An entry as an exchange with the target that is not predicted yet; or why it is left out. */
export function exchangeOf(entry: Entry, to: Target, connection: number): Answered | string {
  const { fields, method, body, startedAt, endedAt, response } = entry;
  const target = targetIn(entry.url, to);
  if (target === null) return "another target";
  if (!response) return "without a response";
  if (entry.isCached) return "from a browser's cache";
  // A client's own record of its requests has no Host.
  const hosts = fieldsOf(fields, "Host").length > 0 ? fields : [["Host", new URL(entry.url).host] as const, ...fields];
  const isWhole = response.body !== null && response.body.length <= MOST_FILE;
  const head = { status: response.status, reason: "", version: "1.1", fields: response.fields };
  const received = createResponse(head, isWhole && response.body ? response.body : Buffer.alloc(0));
  return {
    ...{ request: { method, target, fields: hosts, body: body ?? "" }, error: null, prediction: null },
    ...{ response: { ...received, omitted: isWhole ? 0 : 1 }, sentAt: startedAt, endedAt: endedAt ?? startedAt },
    connection,
  };
}
