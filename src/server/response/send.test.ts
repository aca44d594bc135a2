import { describe, expect, it } from "vitest";
import { form } from "../../test/atpoint.ts";
import { quiet } from "../../test/wire.ts";
import { Problem } from "../problem.ts";
import {
  createSender,
  type DispatchResult,
  type RequestRecord,
  type SenderOptions,
  textReply,
} from "./send.ts";

const page = "https://page.example";
const { requestIdOf } = createSender(quiet);

/** The response to a GET, as the text that is sent, its records, and the other events. */
function responseTo(
  result: DispatchResult,
  { origin, ...changed }: Partial<SenderOptions> & { readonly origin?: string } = {},
) {
  const records: RequestRecord[] = [];
  const events: string[] = [];
  const sender = createSender({
    ...quiet,
    record: (record) => records.push(record),
    onFault: ({ code }) => events.push(`fault ${code}`),
    onUndocumented: (_, faults) => events.push(...faults),
    ...changed,
  });
  const request = {
    requestId: "r-1",
    method: "GET",
    headers: { origin },
    startedAt: performance.now(),
  };
  const text = sender.serializeRaw(request, result);
  // What is prepared for an operation is the same each time.
  const withoutIds = (one: string) => one.replace(/^(X-Request-Id|Date): .*$/gm, "");
  expect(withoutIds(sender.serializeRaw(request, result))).toBe(withoutIds(text));
  return { text, records: records.slice(0, 1), events: events.slice(0, events.length / 2) };
}

const content = textReply("application/json", "{}");
const ok: DispatchResult = { outcome: content, step: "handle" };
const rejected = (code: Problem["code"], step: DispatchResult["step"]): DispatchResult => ({
  outcome: new Problem(code),
  step,
});

describe("every response", () => {
  it.each([
    ["*", undefined, "*", null],
    ["*", page, "*", null],
    [["https://other.example", page], page, page, "Origin"],
    [[page], undefined, null, "Origin"],
    [[page], "https://evil.example", null, "Origin"],
    [[page], "https://page.example.evil", null, "Origin"],
  ] as const)(
    "allows of the origins %j to %s: %s, and varies by %s",
    (corsOrigins, origin, allowed, vary) => {
      const { text } = responseTo(ok, { corsOrigins, ...(origin && { origin }) });
      const [, readers = null] = /^Access-Control-Allow-Origin: (.*)\r$/m.exec(text) ?? [];
      const [, varies = null] = /^Vary: (.*)\r$/m.exec(text) ?? [];
      expect([readers, varies]).toEqual([allowed, vary]);
      expect(text.includes("Access-Control")).toBe(allowed !== null);
    },
  );

  it("keeps every link, and all that it varies by", () => {
    const paged = { ...content, headers: { Link: "<?>; rel=next", Vary: "Accept" } };
    const result = {
      ...ok,
      outcome: paged,
      operation: "old",
      headers: { Link: "</>; rel=deprecation" },
    };
    const texts = (["*", [page]] as const).map(
      (corsOrigins) => responseTo(result, { corsOrigins }).text,
    );
    for (const text of texts)
      expect(text).toContain("Link: </>; rel=deprecation, <?>; rel=next\r\n");
    expect(texts[1]).toContain("Vary: Origin, Accept\r\n");
  });
});

describe("a rejection", () => {
  it.each([
    ["step", "checkScope", "user.create", "checkScope does not reject with email-taken", 409],
    ["operation", "handle", "sysinfo", "sysinfo does not declare email-taken", 500],
  ] as const)(
    "with a code of another %s is an internal error in tests, and reported in production",
    (_, step, operation, fault, inProduction) => {
      const wrong = { ...rejected("email-taken", step), operation };
      expect(responseTo(wrong)).toMatchObject({
        records: [{ status: 500 }],
        events: [fault, "fault internal-error"],
      });
      expect(responseTo(wrong, { checkResponses: "log" })).toMatchObject({
        records: [{ status: inProduction }],
        events: inProduction === 500 ? [fault, "fault internal-error"] : [fault],
      });
      const right = { ...rejected("email-taken", "handle"), operation: "user.create" };
      expect(responseTo(right)).toMatchObject({ records: [{ status: 409 }], events: [] });
    },
  );

  it("is a fault when it is a 5xx, but for going down and overload", () => {
    expect(responseTo(rejected("storage-unavailable", "handle")).events).toEqual([
      "fault storage-unavailable",
    ]);
    expect(responseTo(rejected("internal-error", "readQuery")).events).toEqual([
      "fault internal-error",
    ]);
    for (const code of ["shutting-down", "overloaded"] as const)
      expect(responseTo(rejected(code, "readHead")).events).toEqual([]);
  });
});

// Others are sent to the running service by `http/request-id`.
it("replaces an id that looks like a part of a key, and one sent twice", () => {
  const { key } = form.issue();
  const digits = key.slice("atp_".length);
  const ends = Array.from(digits, (_, cut) => `atp_${digits.slice(0, cut + 1)}`);
  const random = digits.slice(0, 40);
  for (const id of [
    ...ends,
    key.slice(1),
    digits,
    `x.${digits}`,
    random,
    random.toUpperCase(),
    [digits.slice(0, 39)],
  ])
    expect(requestIdOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  expect(requestIdOf(digits.slice(0, 39))).toBe(digits.slice(0, 39));
});
