import { Problem } from "../server/problem.ts";
import { onceOf } from "../server/resources/idempotency.ts";
import { HandlerResponse } from "../server/response/response.ts";
import type { Handler } from "./handler.ts";

/** D24: the unique index decides whether the e-mail address is taken. D25: a repeated call gets the first response, and creates nothing. */
export const userCreate: Handler<"user.create"> = async ({ name, email }, context) => {
  const { users, clock, idempotencyTtlMs, deadline } = context;
  const user = { name, email, createdAt: clock.now() };
  const once = onceOf("user.create", context, [name, email]);
  if (!once) return (await users.insert(user, deadline)) ?? taken();
  const since = new Date(user.createdAt.getTime() - idempotencyTtlMs);
  const created = (await users.insertOnce(user, { ...once, since }, deadline)) ?? taken();
  if (created === "reused") throw new Problem("idempotency-key-reused");
  if (!created.replayed) return created.resource;
  const headers = { "Idempotent-Replayed": "true" };
  return new HandlerResponse({ status: 201, mediaType: "application/json", body: created.resource, headers });
};

function taken(): never {
  throw new Problem("email-taken");
}
