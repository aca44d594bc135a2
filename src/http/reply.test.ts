import { describe, expect, it } from "vitest";
import { issueKey } from "../keys/key.ts";
import { Problem } from "../protocol/problem.ts";
import { createReplies, jsonReply, type Outcome, type ReplyOptions, type RequestLog, requestIdOf } from "./reply.ts";

const page = "https://page.example";

/** The answer to a GET, as the text that goes out, the line that the log gets, and the other events. */
function answerTo(outcome: Outcome, { origin, ...changed }: Partial<ReplyOptions> & { readonly origin?: string } = {}) {
  const lines: RequestLog[] = [];
  const events: string[] = [];
  const replies = createReplies({
    problemsUrl: "https://one.invalid/api/?@=docs.get.problems",
    corsOrigins: "*",
    checkAnswers: "throw",
    onAnswer: (line) => lines.push(line),
    onFault: ({ code }) => events.push(`fault ${code}`),
    onUndocumented: (_, faults) => events.push(...faults),
    ...changed,
  });
  const text = replies.bytes(
    { requestId: "r-1", method: "GET", headers: { origin }, startedAt: performance.now() },
    outcome,
  );
  return { text, lines, events };
}

const ok: Outcome = { reply: jsonReply({}), step: "handle" };
const refused = (code: Problem["code"], step: Outcome["step"]): Outcome => ({ reply: new Problem(code), step });

describe("every answer", () => {
  it.each([
    ["*", undefined, "*", null],
    ["*", page, "*", null],
    [["https://other.example", page], page, page, "Origin"],
    [[page], undefined, null, "Origin"],
    [[page], "https://evil.example", null, "Origin"],
    [[page], "https://page.example.evil", null, "Origin"],
  ] as const)("allows of the origins %j to %s: %s, and varies by %s", (corsOrigins, origin, allowed, vary) => {
    const { text } = answerTo(ok, { corsOrigins, ...(origin && { origin }) });
    const [, told = null] = /^Access-Control-Allow-Origin: (.*)\r$/m.exec(text) ?? [];
    const [, varies = null] = /^Vary: (.*)\r$/m.exec(text) ?? [];
    expect([told, varies]).toEqual([allowed, vary]);
    expect(text.includes("Access-Control")).toBe(allowed !== null);
  });

  it("keeps every link, and all that it varies by", () => {
    const reply = { ...jsonReply({}), headers: { Link: "<?>; rel=next", Vary: "Accept" } };
    const { text } = answerTo({ ...ok, reply, headers: { Link: "</>; rel=deprecation" } }, { corsOrigins: [page] });
    expect(text).toContain("Link: </>; rel=deprecation, <?>; rel=next\r\n");
    expect(text).toContain("Vary: Origin, Accept\r\n");
  });

  it("has the id of its caller, in the log too, or where caches may store it, one of its own", () => {
    const reply = { ...jsonReply({}), headers: { ETag: '"x"' } };
    const ids = [ok, { ...ok, reply }, { ...ok, reply }].map((outcome) => {
      const { text, lines } = answerTo(outcome);
      const [, id] = /^X-Request-Id: (.*)\r$/m.exec(text) ?? [];
      expect(lines).toMatchObject([{ requestId: id }]);
      return id;
    });
    expect(ids).toEqual(["r-1", expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(new Set(ids).size).toBe(3);
  });

  it("writes one line for the log", () => {
    const { lines } = answerTo({ ...refused("scope-missing", "checkScope"), operation: "user.list", keyId: "k-1" });
    const durationMs = expect.any(Number);
    expect(lines).toEqual([
      {
        requestId: "r-1",
        method: "GET",
        operation: "user.list",
        status: 403,
        durationMs,
        keyId: "k-1",
        code: "scope-missing",
      },
    ]);
  });
});

describe("a refusal", () => {
  it("with a code of another step is an internal error where answers are checked, and told of in production", () => {
    const wrong = refused("email-taken", "checkScope");
    const told = "checkScope does not reject with email-taken";
    expect(answerTo(wrong)).toMatchObject({ lines: [{ status: 500 }], events: [told, "fault internal-error"] });
    expect(answerTo(wrong, { checkAnswers: "log" })).toMatchObject({ lines: [{ status: 409 }], events: [told] });
    expect(answerTo(wrong, { checkAnswers: "off" })).toMatchObject({ lines: [{ status: 409 }], events: [] });
  });

  it("is a fault when it is a 5xx, but for going down", () => {
    expect(answerTo(refused("storage-unavailable", "handle")).events).toEqual(["fault storage-unavailable"]);
    expect(answerTo(refused("internal-error", "readQuery")).events).toEqual(["fault internal-error"]);
    expect(answerTo(refused("shutting-down", "readHead")).events).toEqual([]);
  });
});

describe("requestIdOf", () => {
  const mistyped = `atp_${"0".repeat(48)}`;
  const { key } = issueKey();
  const digits = key.slice("atp_".length);
  const kept = {
    "one character": "a",
    "every kind of character": "A-1_b.2",
    "64 characters": "x".repeat(64),
    "a UUID": "6f1c9c0e-3a55-4b43-9d2b-0d1f5a3c7e21",
    "a UUID without dashes": "6f1c9c0e3a554b439d2b0d1f5a3c7e21",
    "a W3C trace and span": "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    "a traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "a ULID": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "39 hexadecimal digits": digits.slice(0, 39),
    "the prefix and something else": "atp_user-list_atp_.1",
  };

  it.each(Object.entries(kept))("keeps the caller's: %s", (_, id) => {
    expect(requestIdOf(id)).toBe(id);
  });

  it.each([
    ...[undefined, "", "x".repeat(65), "a b", "a, b", "a\n", "é", "<b>", ["a"]],
    ...[mistyped, `${mistyped}0`, `web-${mistyped.toUpperCase()}`, "atp_0", "of-atp_F-1"],
  ])("makes a new one for %j", (id) => {
    expect(requestIdOf(id)).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIdOf(id)).not.toBe(requestIdOf(id));
  });

  it("makes a new one for a key that lacks its end, its prefix or both", () => {
    const ends = Array.from(digits, (_, cut) => `atp_${digits.slice(0, cut + 1)}`);
    const random = digits.slice(0, 40);
    for (const id of [...ends, key.slice(1), digits, `x.${digits}`, random, random.toUpperCase()])
      expect(requestIdOf(id)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
