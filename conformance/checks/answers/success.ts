import type { RequirementId } from "../../../generated/requirements.ts";
import { validators } from "../../../generated/validators.ts";
import { expectObject, expectStatus, expectSuccess, expectText, fail } from "../../client/expect.ts";
import type { Aspect } from "../../client/expectation.ts";
import { type Known, operationOf, queries, queryOf } from "../../client/operation.ts";
import { excerpt, Reply } from "../../client/reply.ts";
import { type Check, check, checkAll } from "../check.ts";
import { answered, credentialFields, inCase, reach, successes } from "../probe.ts";
import { endOfList, inputOf, MOST } from "../user-list/pages.ts";

/** What a success looks like (D9). */

const JSON_TYPE = /^application\/json[ \t]*;[ \t]*charset="?utf-8"?$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** Members that hold a time, by their name; and texts that look like one, unless a user wrote them. */
const TIME_MEMBER = /^time$|At$/;
const LOOKS_LIKE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:/;
const FREE_TEXT = new Set(["name", "email", "content", "title"]);

type Member = readonly [path: string, name: string, value: unknown];

/** Every member of a JSON value, with its path. */
function membersOf(value: unknown, path = "#", name = ""): Member[] {
  const own: Member = [path, name, value];
  if (typeof value !== "object" || value === null) return [own];
  return [own, ...Object.entries(value).flatMap(([key, each]) => membersOf(each, `${path}/${key}`, key))];
}

/** An index of a list is any. */
const aspectAt = (path: string): Aspect =>
  path === "#" ? "body" : `body:/${path.slice(2).replace(/(?<![^/])\d+(?![^/])/g, "*")}`;

function expectBareObject(reply: Reply, operation: Known): void {
  const type = reply.header("content-type") ?? "";
  if (!JSON_TYPE.test(type))
    fail("header:content-type", "the media type application/json; charset=utf-8", type || "none");
  const body = expectObject(reply.json());
  if (reply.repeatsName) fail("body", "each member once", excerpt(reply.text));
  const members = Object.keys(body);
  for (const status of successes(operation)) {
    const validate = validators[operation.id].answers[`${status} application/json`];
    // An envelope: the documented answer is not the body but in it.
    const inside = Object.entries(body).find(([, value]) => validate?.(value));
    if (inside)
      fail("body", "a bare object, no envelope", `the answer in the member ${inside[0]} of ${members.join(", ")}`);
  }
}

function expectTimes(body: unknown): void {
  for (const [path, name, value] of membersOf(body)) {
    const text = typeof value === "string" ? value : "";
    if (!TIME_MEMBER.test(name) && !(LOOKS_LIKE_TIME.test(text) && !FREE_TEXT.has(name))) continue;
    if (!TIME.test(text) || !isDate(text)) {
      fail(aspectAt(path), "a time of RFC 3339 in UTC that ends in Z", excerpt(JSON.stringify(value)));
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
  if (found) fail(aspectAt(found[0]), "a member without a value to be absent", `null at ${found[0]}`);
}

type Judge = (reply: Reply, operation: Known) => void;

/**
 * Over what each query shows of itself, and over every success that any check of the run saw: created users and last pages
 * too. Coded answers and texts are other requirements' matter.
 */
const everySuccess = (requirement: RequirementId, judge: Judge): readonly Check[] => [
  ...queries.map((operation) =>
    check(`${requirement}#${operation.id}`, {}, async (api) => {
      const least = { accept: "*/*", input: api.required(operation.id) };
      for (const options of [{}, { accept: "application/json" }, least]) {
        const reply = await reach(api, operation, options);
        expectStatus(reply, ...successes(operation));
        judge(reply, operation);
      }
    }),
  ),
  checkAll(`${requirement}#every-success`, (exchange) => {
    const { answer, request } = exchange;
    const operation = operationOf(exchange);
    if (!operation || !answer || answer.status < 200 || answer.status >= 300 || request.method === "HEAD") return;
    const reply = new Reply(exchange, answer);
    if (reply.header("content-encoding") === undefined && !reply.mediaType.startsWith("text/")) judge(reply, operation);
  }),
];

export const success: readonly Check[] = [
  ...everySuccess("answers/object", expectBareObject),
  check("answers/object#nothing-behind", {}, async (api) => {
    for (const operation of queries) {
      const target = api.path(`/api/?${queryOf(operation, api.required(operation.id))}`);
      const raw = await api.raw(api.rawRequest({ target, headers: credentialFields(api) }), { answers: Infinity });
      await inCase(operation.id, () => {
        const reply = answered(raw, "GET");
        expectStatus(reply, 200);
        expectObject(reply.json());
        if (raw.leftover.length > 0) fail("connection", "nothing behind the answer", `${raw.leftover.length} bytes`);
      });
    }
  }),
  ...everySuccess("answers/schema", (reply, { id }) => void expectSuccess(reply, id)),
  check("answers/schema#texts", {}, async (api) => {
    for (const operation of queries)
      for (const mediaType of operation.answers[0]?.mediaTypes.filter((type) => type.startsWith("text/")) ?? [])
        expectText(await reach(api, operation, { accept: mediaType }), operation.id, mediaType);
  }),
  ...everySuccess("answers/times", (reply) => expectTimes(reply.json())),
  ...everySuccess("answers/absent-not-null", (reply) => expectNoNull(reply.json())),
  check("answers/absent-not-null#last-page", {}, async (api) => {
    const { cursor } = await endOfList(api);
    expectNoNull((await api.call("user.list", { input: inputOf(cursor, MOST) })).json());
  }),
];
