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

  it("writes one line for the log", () => {
    const { lines } = answerTo({ ...refused("scope-missing", "judgeScope"), operation: "user.list", keyId: "k-1" });
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
    const wrong = refused("email-taken", "judgeScope");
    const told = "judgeScope does not refuse with email-taken";
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

  it.each(["a", "A-1_b.2", "x".repeat(64), mistyped.slice(1), mistyped.slice(0, -1)])("keeps the caller's %s", (id) => {
    expect(requestIdOf(id)).toBe(id);
  });

  it.each([
    ...[undefined, "", "x".repeat(65), "a b", "a, b", "a\n", "é", "<b>", ["a"]],
    ...[issueKey().key, mistyped, `${mistyped}0`, `web-${mistyped.toUpperCase()}`],
  ])("makes a new one for %j", (id) => {
    expect(requestIdOf(id)).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIdOf(id)).not.toBe(requestIdOf(id));
  });
});
