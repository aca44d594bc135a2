// The most important facts of the contract, repeated by hand: service and suite are both generated
// from the spec, so a fault in it would be in both. Changing a line here changes the contract (D1
// to D33). What inputs fit, the golden exchanges state.
import { describe, expect, it } from "vitest";
import { contract, type OperationId } from "../../generated/contract.ts";
import type { Contract } from "../../src/server/contract.ts";

const { operations, problems, steps: order } = contract;
const validators: Contract["validators"] = contract.validators;

const user = {
  id: "019c1395-e200-7000-8000-0123456789ab",
  name: "Ada Lovelace",
  email: "ada@example.com",
  createdAt: "2026-01-31T12:00:00.000Z",
};
const entry = { name: "README", title: "Atpoint", mediaType: "text/markdown" };
const health = { status: "pass", version: "3.0.3", checks: { storage: "pass" } };
const machine = {
  server: "Atpoint",
  runtime: "Node.js 20",
  clientAddress: "127.0.0.1",
  requestMethod: "GET",
};

/**
 * For each operation of the given document: method, scope (null: public), and each success: its
 * status and every member, nested ones included; `?` after optional ones. Operations that are
 * added, with their codes, are stated in the spec only.
 */
type Fact = readonly [method: string, scope: string | null, status: number, answer: object];
const facts: Readonly<Partial<Record<OperationId, Fact>>> = {
  sysinfo: [
    "GET",
    null,
    200,
    { status: "Operational", version: "3.0.3", ...machine, time: user.createdAt },
  ],
  "test.health": ["GET", "system:health", 200, health],
  "user.list": ["GET", "users:read", 200, { items: [user], "nextCursor?": "x" }],
  "user.create": ["POST", "users:write", 201, user],
  "docs.list": [
    "GET",
    null,
    200,
    { items: [{ ...entry, size: 10, operation: "docs.get.README" }] },
  ],
  "docs.get": ["GET", null, 200, { ...entry, content: "# Atpoint" }],
};
const stated = Object.values(operations).flatMap((operation) => {
  const fact = facts[operation.id];
  return fact ? [{ operation, fact }] : [];
});

/**
 * The value unchanged, without each of its members in turn, and with one more in each of its
 * objects; with whether it is valid.
 */
function* variants(value: unknown): Generator<readonly [value: unknown, right: boolean]> {
  if (Array.isArray(value)) {
    for (const [inner, right] of variants(value[0])) yield [[inner], right];
    return;
  }
  if (typeof value !== "object" || value === null) return yield [value, true];
  const members = Object.entries(value);
  const named = (list: typeof members) =>
    Object.fromEntries(list.map(([name, each]) => [name.replace("?", ""), each]));
  yield [named(members), true];
  yield [named([...members, ["more", "x"]]), false];
  for (const [name, each] of members) {
    const remaining = members.filter(([other]) => other !== name);
    yield [named(remaining), name.endsWith("?")];
    yield [named([...remaining, [name, null]]), false];
    for (const [inner, right] of variants(each))
      yield [named([...remaining, [name, inner]]), right];
  }
}

it.each(stated)("$operation.id has this method, scope and success", ({ operation, fact }) => {
  const [method, scope, status, answer] = fact;
  expect(operation).toMatchObject({ method, scope, auth: scope !== null });
  expect(operation.answers.map((one) => one.status)).toEqual(
    operation.id === "test.health" ? [200, 503] : [status],
  );
  const validate = validators[operation.id]?.answers[`${status} application/json`];
  for (const [value, right] of variants(answer))
    expect([value, validate?.(value)]).toEqual([value, right]);
});

describe("the contract", () => {
  it("has these statuses for these codes", () => {
    const statuses = `
      400 malformed-request operation-missing parameter-repeated malformed-query
      400 operation-ambiguous malformed-json credential-conflict invalid-cursor
      400 invalid-idempotency-key | 401 credentials-missing credentials-invalid
      403 scope-missing platform-not-allowed
      404 operation-not-found path-not-found document-not-found
      405 method-not-allowed | 406 not-acceptable | 408 request-timeout | 409 email-taken
      413 content-too-large | 414 uri-too-long | 415 unsupported-media-type
      417 expectation-failed | 422 invalid-input idempotency-key-reused
      429 rate-limited | 431 headers-too-large | 500 internal-error
      503 shutting-down storage-unavailable overloaded deadline-exceeded`;
    const wanted = statuses.split(/[|\n]/).flatMap((line) => {
      const [status, ...codes] = line.trim().split(" ");
      return codes.map((code) => `${code} ${status}`);
    });
    const actual = Object.entries(problems).map(([code, { status }]) => `${code} ${status}`);
    expect(actual).toEqual(expect.arrayContaining(wanted));
  });

  it("checks in this order", () => {
    const codes =
      `malformed-request path-not-found method-not-allowed malformed-query unsupported-media-type
      content-too-large malformed-json operation-missing operation-not-found credential-conflict
      credentials-missing credentials-invalid scope-missing platform-not-allowed not-acceptable
      invalid-input email-taken`.split(/\s+/);
    const steps = codes.map((code) =>
      order.findIndex((step) => step.problems.some((one) => one === code)),
    );
    expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
  });
});
