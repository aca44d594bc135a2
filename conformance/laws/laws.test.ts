// Laws of any contract: what the changed responses of proof.test.ts do not show.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Contract, type Operation, readContract, type Schema } from "../oracle/contract.ts";
import { createOracle } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import { packaged } from "../packaged.ts";
import { differing, excerpt } from "./difference.ts";
import { exchanged, get, type Sent, worldOf } from "./exchange.test-kit.ts";
import { lawsOf } from "./index.ts";

/** Another service: its realm, its prefix of keys, and one query whose response has this schema. */
function serviceWith(schema: Schema): Contract {
  const { sysinfo } = packaged.oracle.contract.operations;
  const responses = [{ status: 200, mediaType: "application/json", schema }];
  const operation = { ...sysinfo, id: "thing", name: "thing", responses } as Operation; // The contract has it.
  return readContract({
    ...packaged.oracle.contract,
    keys: { realm: "other", prefix: "oth_" },
    operations: { thing: operation },
  });
}
const contract = serviceWith({ type: "object", properties: {}, required: [] });
const THING = get("/api/?@=thing");
const JSON_FIELDS = [
  ["Content-Type", "application/json; charset=utf-8"],
  ["X-Operation", "thing"],
] as const;

/** What one law finds in a response, as `aspect: actual`; null where it finds nothing. */
function found(id: string, request: Request, sent: Sent, of = contract): string | null {
  const law = lawsOf(of).find((one) => one.id === id) ?? expect.fail(id);
  const exchange = exchanged(worldOf(createOracle(of)), request, sent);
  const difference = law.applies(exchange) ? law.check(exchange, new Map()) : null;
  return difference && `${difference.aspect}: ${difference.actual}`;
}

describe("the values of a success", () => {
  const time = { type: "string", format: "date-time" } as const;
  const schema: Schema = {
    type: "object",
    properties: {
      maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
      times: { type: "array", items: time },
      by: { type: "object", additionalProperties: { anyOf: [time, { type: "null" }] } },
      text: { anyOf: [time, { type: "string", maxLength: 3 }] },
    },
  };
  const right = "2026-01-31T12:00:00Z";

  // Null only where the schema says so; times in UTC, in lists and records too.
  it.each([
    ["answers/absent-not-null", { maybe: null, by: { a: null } }, null],
    ["answers/absent-not-null", { text: null }, "body:/text: null"],
    ["answers/absent-not-null", { times: [null] }, "body:/times/0: null"],
    ["answers/times", { times: [right], by: { a: right, b: null }, text: "abc" }, null],
    ["answers/times", { times: [right, "2026-02-30T12:00:00Z"] }, "body:/times/1"],
    ["answers/times", { by: { a: "2026-01-31T12:00:00+00:00" } }, "body:/by/a"],
  ])("%s of %j: %s", (id, json, expected) => {
    expect(found(id, THING, { fields: JSON_FIELDS, json }, serviceWith(schema))).toEqual(
      expected && expect.stringContaining(expected),
    );
  });
});

it("reads no body with more values than any response has", () => {
  const sent = { fields: JSON_FIELDS, json: { items: Array(100_000).fill({}) } };
  expect(found("answers/object", THING, sent)).toContain("body: ");
  expect(found("answers/schema", THING, sent)).toBeNull();
});

describe("keys", () => {
  const key = "oth_0123456789abcdef0123456789abcdef";
  const sent = (name: string): Request => ({ ...THING, fields: [...THING.fields, [name, key]] });
  const says = (text: string): Sent => ({ fields: JSON_FIELDS, json: { text } });

  it("are in no response, in any spelling", () => {
    const law = "credentials/never-shown";
    for (const text of [key, encodeURIComponent(key), Buffer.from(`x${key}`).toString("base64")])
      expect(found(law, sent("X-API-KEY"), says(text))).toBe("body: it is in the body");
    expect(found(law, sent("X-API-KEY"), says("key"))).toBeNull();
    expect(found(law, sent("Cookie"), says(key))).toBe("body: it is in the body");
  });

  it("are no request ids", () => {
    const answered = (id: string) => ({ ...says(""), fields: [...JSON_FIELDS, ["X-Request-Id", id] as const] });
    expect(found("http/request-id", sent("X-Request-Id"), answered("new"))).toBeNull();
    expect(found("http/request-id", sent("X-Request-Id"), answered(key))).toContain("header:x-request-id");
  });

  it("are asked for with the realm of the contract", () => {
    const of = (realm: string) => {
      const fields = [["WWW-Authenticate", `ApiKey realm="${realm}"`]] as const;
      return found("credentials/challenge", THING, { status: 401, fields });
    };
    expect([of("other"), of("atpoint")]).toEqual([null, 'header:www-authenticate: ApiKey realm="atpoint"']);
  });
});

describe("a rejection", () => {
  it.each([
    [
      "no.such.name",
      "no.such.name?",
      'body: "{\\"code\\":\\"operation-not-found\\",\\"detail\\":\\"no.such.name?\\"}"',
    ],
    ["thing", "thing", null],
    // A name may be near to a word of the contract.
    ["operation-not-foun", "operation-not-found", null],
  ])("does not repeat the unknown name %s as %s", (name, detail, expected) => {
    const sent = { status: 404, json: { code: "operation-not-found", detail } };
    expect(found("dispatch/no-echo", get(`/api/?@=${name}`), sent)).toBe(expected);
  });

  it("is searched for what its content says, not its bytes", () => {
    // A header of gzip has four bytes for a time (RFC 1952, 2.3), which nobody checks.
    const compressed = (detail: string, time: string): Sent => {
      const body = gzipSync(JSON.stringify({ detail }));
      body.write(time, 4, 4, "latin1");
      return { status: 400, fields: [["Content-Encoding", "gzip"]], body };
    };
    const law = "errors/nothing-leaks";
    expect(found(law, THING, compressed("A parameter is missing.", ".koa"))).toBeNull();
    expect(found(law, THING, compressed("koa: no body", "\0\0\0\0"))).toBe('body: "koa" (status 400)');
  });
});

it("an excerpt shows the place where texts differ, and no part of a word", () => {
  const key = "oth_0123456789abcdef0123456789abcdef";
  const text = `${"a ".repeat(90)}${key} ${"b ".repeat(90)}`;
  for (let at = 0; at < text.length; at += 7) {
    const shown = excerpt(text, at);
    expect(shown.includes("oth_") || shown.includes("abcdef")).toBe(shown.includes(key));
  }
  expect(excerpt("x".repeat(300))).toBe("300 characters");
  expect(excerpt("a b")).toBe('"a b"');
  // Two words of which nothing is shown are told apart.
  const [one, other] = ["a", "b"].map((end) => `"${"x".repeat(300)}${end}"`);
  const { expected, actual } = differing("body", one ?? "", other ?? "");
  expect(actual).toBe(`others from character 302 on: ${expected}`);
});

it("has only laws of requirements that the contract has", () => {
  const without = { ...contract, requirements: contract.requirements.filter(({ id }) => id !== "http/nosniff") };
  const known = new Set(without.requirements.map(({ id }) => id));
  expect(lawsOf(without).every(({ id }) => known.has(id))).toBe(true);
  expect(lawsOf(contract).length - lawsOf(without).length).toBe(1);
});
