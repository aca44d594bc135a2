import { type ProblemCode, problems } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { answered, credentialFields, inCase } from "../probe.ts";
import { expectNotCreated, seeing } from "../state.ts";
import { walkUsers } from "../users.ts";
import { expectCreated } from "./users.ts";

/** A create that is refused for one fault, however right the user in it is. */
type Case = readonly [what: string, code: ProblemCode, options: (email: string) => CallOptions];

const bodyOf = (data: unknown) => JSON.stringify({ "@": "user.create", data });
const good = (email: string) => bodyOf({ name: "Ada Lovelace", email });
/** The same body with a member in front. */
const before = (email: string, member: string) => good(email).replace("{", `{${member},`);

const ofInput: readonly Case[] = [
  ...["", " Ada ", "a".repeat(201), "A\u0000da", 1, undefined].map(
    (name): Case => [
      `the name ${JSON.stringify(name)}`,
      "invalid-input",
      (email) => ({ body: bodyOf({ email, name }) }),
    ],
  ),
  ["a member more", "invalid-input", (email) => ({ body: bodyOf({ email, name: "Ada", id: "1" }) })],
  ["a member more beside data", "invalid-input", (email) => ({ body: before(email, '"a":1') })],
  ["a parameter", "invalid-input", () => ({ query: [["name", "Ada"]] })],
  ["an array of users", "invalid-input", (email) => ({ body: bodyOf([{ name: "Ada", email }]) })],
];

const nested = `"a":${"[".repeat(17)}${"]".repeat(17)}`;
const ofBody: readonly Case[] = [
  ["another media type", "unsupported-media-type", () => ({ headers: { "Content-Type": "text/plain" } })],
  ["no media type", "unsupported-media-type", () => ({ headers: { "Content-Type": null } })],
  ["a content coding", "unsupported-media-type", () => ({ headers: { "Content-Encoding": "gzip" } })],
  ["a bracket too many", "malformed-json", (email) => ({ body: `${good(email)}}` })],
  ["two users", "malformed-json", (email) => ({ body: good(email).repeat(2) })],
  ["an array around it", "malformed-json", (email) => ({ body: `[${good(email)}]` })],
  ["a byte order mark", "malformed-json", (email) => ({ body: `\ufeff${good(email)}` })],
  ["a member __proto__", "malformed-json", (email) => ({ body: before(email, '"__proto__":{}') })],
  ["too many levels", "malformed-json", (email) => ({ body: before(email, nested) })],
  ["a large body", "content-too-large", (email) => ({ body: good(email) + " ".repeat(66_000) })],
];

const ofRequest: readonly Case[] = [
  ["an Accept that excludes the answer", "not-acceptable", () => ({ accept: "image/png" })],
  ["another operation", "operation-not-found", (email) => ({ body: good(email).replace("create", "creat") })],
  ["the operation twice", "operation-ambiguous", () => ({ query: [["@", "user.create"]] })],
  ["no operation", "operation-missing", (email) => ({ body: good(email).replace('"@"', '"op"') })],
  ["a parameter twice", "parameter-repeated", () => ({ rawQuery: "a=1&a=2" })],
  ["a broken query", "malformed-query", () => ({ rawQuery: "a=%" })],
  ...["PUT", "PATCH", "GET"].map((method): Case => [`by ${method}`, "method-not-allowed", () => ({ method })]),
  ["by GET with the input", "method-not-allowed", (email) => ({ method: "GET", input: { name: "Ada", email } })],
];

const ofCredentials = ({ key, platform }: Api): readonly Case[] => {
  const header = { key: { header: key }, platform: { header: platform } };
  return [
    ["no credentials", "credentials-missing", () => ({ credentials: "none" })],
    ["no key", "credentials-missing", () => ({ credentials: { platform: header.platform } })],
    ["no platform", "credentials-missing", () => ({ credentials: { key: header.key } })],
    ["a wrong key", "credentials-invalid", () => ({ credentials: { ...header, key: { header: `${key}x` } } })],
    [
      "a wrong platform",
      "platform-not-allowed",
      () => ({ credentials: { ...header, platform: { header: "nowhere" } } }),
    ],
    ["two keys", "credential-conflict", () => ({ credentials: { ...header, key: { header: key, query: "x" } } })],
  ];
};

/** A refused create stores nothing (D24). */
export const refused: readonly Check[] = [
  check("user.create/refused-not-stored#problems", { effect: "write" }, async (api) => {
    const cases = [...ofInput, ...ofBody, ...ofRequest, ...ofCredentials(api)];
    const sent = cases.map(([what, code, options]) => ({ what, code, options, email: api.email() }));
    for (const { what, code, options, email } of sent)
      await inCase(what, async () => {
        const reply = await api.call("user.create", { body: good(email), ...options(email) });
        expectProblem(reply, problems[code].status, code);
      });
    const listed = new Set((await seeing(() => walkUsers(api))).map(({ email }) => email.toLowerCase()));
    const stored = sent.find(({ email }) => listed.has(email.toLowerCase()));
    if (stored) fail("state", `nobody created by what is refused: ${stored.what}`, `${stored.email} is a user now`);
    // The addresses are free.
    const [first] = sent;
    if (first) await expectCreated(api, { email: first.email });
  }),
  check("user.create/refused-not-stored#other-methods", { effect: "write" }, async (api) => {
    const email = api.email();
    const headers = [...credentialFields(api), ["Content-Type", "application/json"] as const];
    for (const method of ["HEAD", "DELETE"])
      for (const query of ["", "?@=user.create"])
        await inCase(`by ${method} with the query ${query}`, async () => {
          const request = { method, target: api.path(`/api/${query}`), headers, body: good(email) };
          const reply = answered(await api.raw(api.rawRequest(request), { heads: [method === "HEAD"] }), method);
          if (reply.status < 400) fail("status", "a refusal", describe(reply));
        });
    await expectNotCreated(api, [email]);
  }),
];
