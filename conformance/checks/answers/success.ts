import { validators } from "../../../generated/validators.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectObject, expectStatus, expectSuccess, expectText, fail } from "../../client/expect.ts";
import { Stopped } from "../../client/expectation.ts";
import { type Known, operationOf, queries, queryOf } from "../../client/operation.ts";
import { excerpt, Reply } from "../../client/reply.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import { check, checkAll } from "../check.ts";
import { answered, inCase, reach, successes } from "../probe.ts";

/** What a success looks like (D9). */

const JSON_TYPE = /^application\/json[ \t]*;[ \t]*charset="?utf-8"?$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** Members that hold a time, by their name; and texts that look like one, unless a user wrote them. */
const TIME_MEMBER = /^time$|At$/;
const LOOKS_LIKE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:/;
const FREE_TEXT = new Set(["name", "email", "content", "title"]);

/** A walk that does not end is another requirement's finding. */
const MAX_PAGES = 100;

type Member = readonly [path: string, name: string, value: unknown];

/** Every member of a JSON value, with its path. */
function membersOf(value: unknown, path = "#", name = ""): Member[] {
  const own: Member = [path, name, value];
  if (typeof value !== "object" || value === null) return [own];
  return [own, ...Object.entries(value).flatMap(([key, each]) => membersOf(each, `${path}/${key}`, key))];
}

function expectBareObject(reply: Reply, operation: Known): void {
  const type = reply.header("content-type") ?? "";
  if (!JSON_TYPE.test(type)) fail("body", "the media type application/json; charset=utf-8", type || "none");
  const body = expectObject(reply.json());
  const members = Object.keys(body);
  for (const status of successes(operation)) {
    const validate = validators[operation.id].answers[`${status} application/json`];
    // An envelope: the documented answer is not the body but in it.
    const inside = Object.entries(body).find(([, value]) => validate?.(value));
    if (inside)
      fail(
        "connection",
        "a bare object, no envelope",
        `the answer in the member ${inside[0]} of ${members.join(", ")}`,
      );
  }
}

function expectTimes(body: unknown): void {
  for (const [path, name, value] of membersOf(body)) {
    const text = typeof value === "string" ? value : "";
    if (!TIME_MEMBER.test(name) && !(LOOKS_LIKE_TIME.test(text) && !FREE_TEXT.has(name))) continue;
    if (!TIME.test(text) || !isDate(text)) {
      fail("body", "a time of RFC 3339 in UTC that ends in Z", `${excerpt(JSON.stringify(value))} at ${path}`);
    }
  }
}

/** The 30th of February has the right form, and `Date` takes it for March. */
function isDate(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text.slice(0, 10);
}

function expectNoNull(body: unknown): void {
  const found = membersOf(body).find(([, , value]) => value === null);
  if (found) fail("body", "a member without a value to be absent", `null at ${found[0]}`);
}

/** Calls with which an operation shows all that it has. */
const calls = async (api: Api, operation: Known): Promise<Reply[]> => [
  await reach(api, operation),
  await reach(api, operation, { accept: "application/json" }),
  await reach(api, operation, { accept: "*/*", input: api.required(operation.id) }),
];

/** Judges every success that any check of the run saw: created users and last pages too. */
const everySuccess = (judge: (reply: Reply, operation: Known) => void) => (exchange: Exchange) => {
  const { answer, request } = exchange;
  const operation = operationOf(exchange);
  if (!operation || !answer || answer.status < 200 || answer.status >= 300 || request.method === "HEAD") return;
  const reply = new Reply(exchange, answer);
  // Coded answers and texts are other requirements' matter.
  if (reply.header("content-encoding") !== undefined || reply.mediaType.startsWith("text/")) return;
  judge(reply, operation);
};

export const success = [
  ...queries.map((operation) =>
    check(`answers/object#${operation.id}`, {}, async (api) => {
      for (const reply of await calls(api, operation)) expectBareObject(reply, operation);
    }),
  ),
  checkAll("answers/object#every-success", everySuccess(expectBareObject)),
  check("answers/object#nothing-behind", {}, async (api) => {
    const credentials = [
      ["X-API-KEY", api.key],
      ["X-PLATFORM", api.platform],
    ] as const;
    for (const operation of queries) {
      const target = api.path(`/api/?${queryOf(operation, api.required(operation.id))}`);
      const bytes = api.rawRequest({ target, headers: credentials });
      const raw = await api.raw(bytes, { answers: Infinity });
      await inCase(operation.id, () => {
        const reply = answered(raw, "GET");
        expectStatus(reply, 200);
        expectObject(reply.json());
        if (raw.leftover.length > 0) fail("body", "nothing behind the answer", `${raw.leftover.length} bytes`);
      });
    }
  }),

  ...queries.map((operation) =>
    check(`answers/schema#${operation.id}`, {}, async (api) => {
      for (const reply of await calls(api, operation)) expectSuccess(reply, operation.id);
      for (const mediaType of operation.answers[0]?.mediaTypes.filter((type) => type.startsWith("text/")) ?? []) {
        expectText(await reach(api, operation, { accept: mediaType }), operation.id, mediaType);
      }
    }),
  ),
  checkAll(
    "answers/schema#every-success",
    everySuccess((reply, { id }) => void expectSuccess(reply, id)),
  ),

  ...queries.map((operation) =>
    check(`answers/times#${operation.id}`, {}, async (api) => {
      for (const reply of await calls(api, operation)) expectTimes(jsonOf(reply, operation));
    }),
  ),
  checkAll(
    "answers/times#every-success",
    everySuccess((reply) => expectTimes(reply.json())),
  ),

  ...queries.map((operation) =>
    check(`answers/absent-not-null#${operation.id}`, {}, async (api) => {
      for (const reply of await calls(api, operation)) expectNoNull(jsonOf(reply, operation));
    }),
  ),
  check("answers/absent-not-null#last-page", {}, async (api) => {
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const input = cursor === undefined ? { limit: 200 } : { limit: 200, cursor };
      const body = expectObject((await api.call("user.list", { input })).json());
      expectNoNull(body);
      cursor = body.nextCursor;
      if (cursor === undefined) return;
    }
    throw new Stopped(`the list has more than ${MAX_PAGES} pages: its last one is not judged`);
  }),
  checkAll(
    "answers/absent-not-null#every-success",
    everySuccess((reply) => expectNoNull(reply.json())),
  ),
];

function jsonOf(reply: Reply, operation: Known): unknown {
  if (!successes(operation).includes(reply.status)) fail("body", `a success of ${operation.id}`, describe(reply));
  return reply.json();
}
