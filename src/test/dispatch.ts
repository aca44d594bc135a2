import { operations } from "../../generated/operations.ts";
import { validators } from "../../generated/validators.ts";
import { readConfig } from "../config.ts";
import { createDispatcher } from "../dispatcher.ts";
import type { FindKey } from "../keys/find-key.ts";
import { noRateLimits } from "../limits/rate-limits.ts";
import type { Credentials } from "../protocol/credentials.ts";
import { Problem } from "../protocol/problem.ts";
import type { Request } from "../protocol/request.ts";

/** A GET of the endpoint, or what `changed` makes of it. */
export function requestOf(changed: Partial<Request> & { readonly body?: string | undefined } = {}): Request {
  const { body = "", headers = {} } = changed;
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  const readBody = async () => Buffer.from(body);
  return {
    id: "r-1",
    method: "GET",
    search: "",
    headers,
    rawHeaders,
    clientAddress: "192.0.2.7",
    readBody,
    ...changed,
  };
}

/** What an operation of the scope, which lists no users, says to somebody with these credentials: `accepted`, or the problem. */
export async function judgeCredentials(
  { key, platform }: Credentials,
  scope: string | null,
  house: { readonly findKey: FindKey; readonly platforms: readonly [string, ...string[]] },
): Promise<"accepted" | Problem> {
  const contract = {
    operations: { "user.list": { ...operations["user.list"], scope } },
    validators,
    handlers: { "user.list": () => ({ items: [] }) },
  };
  const { findKey, platforms } = house;
  const config = { ...readConfig({ CHECK_ANSWERS: "throw" }), platforms };
  const onUndocumented = () => {};
  const dispatch = createDispatcher(contract, {
    ...{ services: {}, findKey, config, onUndocumented },
    rateLimits: noRateLimits,
  });
  const headers = { ...(key !== null && { "x-api-key": key }), ...(platform !== null && { "x-platform": platform }) };
  const { reply } = await dispatch(requestOf({ search: "@=user.list", headers }));
  return reply instanceof Problem ? reply : "accepted";
}
