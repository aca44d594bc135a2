import { isDeepStrictEqual } from "node:util";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { describe, expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { answered, expectReached, inCase, inEach, nobodys, reach } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { requestOf, withFields } from "../wire/support.ts";
import { expectListed, type NewUser, type User } from "./users.ts";

const IDEMPOTENCY_KEY = "Idempotency-Key";
const REPLAYED = "idempotent-replayed";

const callOf = (data: unknown): CallOptions => ({ body: { "@": "user.create", data } });
const under = (api: Api, key: string, call: CallOptions): Promise<Reply> =>
  api.call("user.create", { ...call, headers: { [IDEMPOTENCY_KEY]: key } });
const newUser = (api: Api): NewUser => ({ name: "Ada Lovelace", email: api.email() });
/** A key that no other run uses. */
const keyOf = (api: Api, name: string) => `${name}-${api.runId}`;

function expectFirst(reply: Reply): User {
  const user = expectSuccess(reply, "user.create");
  const said = reply.header(REPLAYED);
  if (said !== undefined) fail(`header:${REPLAYED}`, "no Idempotent-Replayed with a first answer", said);
  return user;
}

function expectReplayed(reply: Reply, first: User): void {
  if (reply.status !== 201) fail("status", "status 201, as the first time", describe(reply));
  if (!isDeepStrictEqual(reply.json(), first))
    fail("body", `the first answer, ${JSON.stringify(first)}`, describe(reply));
  const said = reply.header(REPLAYED);
  if (said !== "true") fail(`header:${REPLAYED}`, "Idempotent-Replayed: true", said ?? "none");
}

/** The same data in other spellings. */
function spellings({ name, email }: NewUser): readonly string[] {
  const escaped = (text: string) =>
    [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  return [
    JSON.stringify({ data: { email, name }, "@": "user.create" }),
    JSON.stringify({ "@": "user.create", data: { name, email } }, null, 2),
    `{"@":"user.create","data":{"name":"somebody","name":"${escaped(name)}","email":"${escaped(email)}"}}`,
  ];
}

const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("");
const longest = (api: Api) => keyOf(api, VISIBLE).padEnd(255, "k");

/** Keys that HTTP clients would not send: sent byte for byte. */
const MALFORMED: readonly (readonly [what: string, keys: (api: Api) => readonly string[]])[] = [
  ["with a blank", (api) => [`a ${api.runId}`]],
  ["with a tab", (api) => [`a\t${api.runId}`]],
  ["of Latin-1", (api) => [`\xe9-${api.runId}`]],
  ["in UTF-8", (api) => [`\xc3\xa9-${api.runId}`]],
  ["of 256 characters", (api) => [`${longest(api)}k`]],
  ["of 1,000 characters", (api) => [longest(api).padEnd(1_000, "k")]],
  ["sent twice", (api) => [keyOf(api, "one"), keyOf(api, "other")]],
];

async function underMalformed(api: Api, keys: readonly string[], data: unknown): Promise<Reply> {
  const request = requestOf(api, "user.create", callOf(data));
  const fields = keys.map((key) => [IDEMPOTENCY_KEY, key] as const);
  return answered(await api.raw(api.rawRequest(withFields(request, ...fields))), "user.create");
}

/** `Idempotency-Key` (D25). */
export const idempotency: readonly Check[] = [
  check("user.create/replayed", { effect: "write" }, async (api) => {
    const [key, data] = [longest(api), newUser(api)];
    const first = expectFirst(await under(api, key, callOf(data)));
    for (let call = 0; call < 2; call += 1) expectReplayed(await under(api, key, callOf(data)), first);
    for (const body of spellings(data))
      await inCase("spelled otherwise", async () => expectReplayed(await under(api, key, { body }), first));
    // The same API key, in the query.
    const inQuery = { ...callOf(data), credentials: "query" } as const;
    await inCase("credentials in the query", async () => expectReplayed(await under(api, key, inQuery), first));
    await expectListed(api, [first]);
  }),
  check("user.create/key-reused", { effect: "write" }, async (api) => {
    const [key, data] = [keyOf(api, "reused"), newUser(api)];
    const first = expectFirst(await under(api, key, callOf(data)));
    const { email } = newUser(api);
    const others = [
      { ...data, email },
      { ...data, name: "Grace Hopper" },
      { ...data, name: data.name.toUpperCase() },
      { ...data, email: data.email.toUpperCase() },
    ];
    await inEach(others, async (other) => {
      expectProblem(await under(api, key, callOf(other)), 422, "idempotency-key-reused");
    });
    await expectNotCreated(api, [email]);
    expectReplayed(await under(api, key, callOf(data)), first);
  }),
  check("user.create/key-whole", { effect: "write" }, async (api) => {
    const [key, data] = [longest(api).replace(/k$/, "K"), newUser(api)];
    expectFirst(await under(api, key, callOf(data)));
    const quoted = { key: `"${keyOf(api, "quoted")}"`, data: newUser(api) };
    expectFirst(await under(api, quoted.key, callOf(quoted.data)));
    expectProblem(await under(api, quoted.key.slice(1, -1), callOf(quoted.data)), 409, "email-taken");
    const others = [
      key.toLowerCase(),
      key.toUpperCase(),
      key.slice(0, -1),
      key.slice(1),
      `${key.slice(0, -1)}L`,
      `"${key.slice(2)}"`,
    ];
    await inEach(others, async (other) => {
      expectProblem(await under(api, other, callOf(data)), 409, "email-taken");
    });
    expectProblem(await api.call("user.create", callOf(data)), 409, "email-taken");
  }),
  check("user.create/key-of-caller", { effect: "write", needs: ["users:write"] }, async (api) => {
    const [key, data] = [keyOf(api, "caller"), newUser(api)];
    const first = await under(api, key, callOf(data));
    expectFirst(first);
    const options = { ...callOf(data), credentials: "users:write", headers: { [IDEMPOTENCY_KEY]: key } } as const;
    expectProblem(await api.call("user.create", options), 409, "email-taken");
    // The second caller does not learn that another one uses this idempotency key.
    expectFirst(await api.call("user.create", { ...options, ...callOf(newUser(api)) }));
    expectReplayed(await under(api, key, callOf(data)), expectSuccess(first, "user.create"));
  }),
  check("user.create/key-form", { effect: "write" }, async (api) => {
    const data = newUser(api);
    expectProblem(await under(api, "a b", callOf(data)), 400, "invalid-idempotency-key");
    for (const [what, keys] of MALFORMED)
      await inCase(`a key ${what}`, async () => {
        expectProblem(await underMalformed(api, keys(api), data), 400, "invalid-idempotency-key");
      });
    await expectNotCreated(api, [data.email]);
  }),
  check("user.create/key-form#empty", { effect: "write" }, async (api) => {
    const data = newUser(api);
    expectFirst(await under(api, "", callOf(data)));
    expectProblem(await under(api, "", callOf(data)), 409, "email-taken");
  }),
  check("user.create/key-after-input", { effect: "write" }, async (api) => {
    const wrong = callOf({ ...newUser(api), name: "" });
    for (const key of ["a b", "k".repeat(256)]) expectProblem(await under(api, key, wrong), 422, "invalid-input");
  }),
  check("user.create/key-free", { effect: "write" }, async (api) => {
    const [key, data] = [keyOf(api, "free"), newUser(api)];
    expectFirst(await under(api, keyOf(api, "taken"), callOf(data)));
    expectProblem(await under(api, key, callOf({ ...data, name: "" })), 422, "invalid-input");
    const refusals = ["none", { key: { header: nobodys(api) }, platform: { header: api.platform } }] as const;
    for (const credentials of refusals) expectStatus(await under(api, key, { ...callOf(data), credentials }), 401);
    expectStatus(await under(api, key, { ...callOf(data), accept: "image/png" }), 406);
    expectProblem(await under(api, key, callOf(data)), 409, "email-taken");
    expectFirst(await under(api, key, callOf(newUser(api))));
  }),
  check("user.create/key-twins", { effect: "write" }, async (api) => {
    const [key, data] = [keyOf(api, "twins"), newUser(api)];
    const replies = await Promise.all(Array.from({ length: 6 }, () => under(api, key, callOf(data))));
    const firsts = replies.filter((reply) => reply.status === 201 && reply.header(REPLAYED) === undefined);
    const [first] = firsts;
    if (!first || firsts.length > 1)
      fail(
        `header:${REPLAYED}`,
        "all but one with Idempotent-Replayed",
        `${firsts.length} of ${replies.length} without`,
      );
    const user = expectFirst(first);
    for (const reply of replies) if (reply !== first) expectReplayed(reply, user);
    await expectListed(api, [user]);
  }),
  ...queries.map((operation) =>
    check(`http/idempotency-key-on-get#${operation.id}`, { of: operation }, async (api) => {
      for (const key of [keyOf(api, operation.id), keyOf(api, operation.id), "a b", "k".repeat(300)])
        await inCase(`the key ${key.slice(0, 40)}`, async () => {
          const reply = await reach(api, operation, { headers: { [IDEMPOTENCY_KEY]: key } });
          expectReached(reply, operation);
          const said = reply.header(REPLAYED);
          if (said !== undefined) fail(`header:${REPLAYED}`, "no Idempotent-Replayed on GET", said);
        });
    }),
  ),
];
