import { type ProblemCode, problems } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import { goodBody } from "../body/post.ts";
import { type Check, check } from "../check.ts";
import { answered, inCase } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { requestOf } from "../wire/support.ts";
import { expectCreated } from "./users.ts";

/** A create that is refused for one fault, however right the user in it is. */
type Case = readonly [what: string, code: ProblemCode, options: CallOptions];

/** None stores its user. */
function notStored(variant: string, cases: (email: string, api: Api) => readonly Case[]): Check {
  return check(`user.create/refused-not-stored#${variant}`, { effect: "write" }, async (api) => {
    const email = api.email();
    for (const [what, code, options] of cases(email, api))
      await inCase(what, async () => {
        const reply = await api.call("user.create", { body: goodBody(email), ...options });
        expectProblem(reply, problems[code].status, code);
      });
    await expectNotCreated(api, [email]);
    // The address is free.
    if (variant === "input") await expectCreated(api, { email });
  });
}

/** A refused create stores nothing (D24). */
export const refused: readonly Check[] = [
  notStored("input", (email) => [
    ["an empty name", "invalid-input", { body: goodBody(email, "") }],
    ["a name with blanks around it", "invalid-input", { body: goodBody(email, " Ada ") }],
    ["a long name", "invalid-input", { body: goodBody(email, "a".repeat(201)) }],
    ["a NUL in the name", "invalid-input", { body: goodBody(email, "A\u0000da") }],
    ["no name", "invalid-input", { body: { "@": "user.create", data: { email } } }],
    ["a name that is no text", "invalid-input", { body: { "@": "user.create", data: { email, name: 1 } } }],
    ["one member more", "invalid-input", { body: { "@": "user.create", data: { email, name: "Ada", id: "1" } } }],
    ["one member more beside data", "invalid-input", { body: goodBody(email).replace("{", '{"a":1,') }],
    ["a parameter", "invalid-input", { query: [["name", "Ada"]] }],
    ["an array of users", "invalid-input", { body: { "@": "user.create", data: [{ name: "Ada", email }] } }],
  ]),
  notStored("body", (email) => [
    ["another media type", "unsupported-media-type", { headers: { "Content-Type": "text/plain" } }],
    ["no media type", "unsupported-media-type", { headers: { "Content-Type": null } }],
    ["a content coding", "unsupported-media-type", { headers: { "Content-Encoding": "gzip" } }],
    ["a bracket too many", "malformed-json", { body: `${goodBody(email)}}` }],
    ["two users", "malformed-json", { body: goodBody(email).repeat(2) }],
    ["an array around it", "malformed-json", { body: `[${goodBody(email)}]` }],
    ["a byte order mark", "malformed-json", { body: `\ufeff${goodBody(email)}` }],
    ["a member __proto__", "malformed-json", { body: goodBody(email).replace("{", '{"__proto__":{},') }],
    [
      "too many levels",
      "malformed-json",
      { body: goodBody(email).replace("{", `{"a":${"[".repeat(17)}${"]".repeat(17)},`) },
    ],
    ["a large body", "content-too-large", { body: goodBody(email) + " ".repeat(66_000) }],
  ]),
  notStored("credentials", (_email, { key, platform }) => [
    ["without credentials", "credentials-missing", { credentials: "none" }],
    ["without a key", "credentials-missing", { credentials: { platform: { header: platform } } }],
    ["without a platform", "credentials-missing", { credentials: { key: { header: key } } }],
    [
      "a wrong key",
      "credentials-invalid",
      { credentials: { key: { header: `${key}x` }, platform: { header: platform } } },
    ],
    [
      "a wrong platform",
      "platform-not-allowed",
      { credentials: { key: { header: key }, platform: { header: "nowhere" } } },
    ],
    [
      "two keys",
      "credential-conflict",
      { credentials: { key: { header: key, query: "x" }, platform: { header: platform } } },
    ],
  ]),
  notStored("request", (email) => [
    ["an Accept that excludes the answer", "not-acceptable", { accept: "image/png" }],
    ["another operation", "operation-not-found", { body: goodBody(email).replace("user.create", "user.creat") }],
    ["the operation twice", "operation-ambiguous", { query: [["@", "user.create"]] }],
    ["no operation", "operation-missing", { body: goodBody(email).replace('"@"', '"op"') }],
    ["a parameter twice", "parameter-repeated", { rawQuery: "a=1&a=2" }],
    ["a broken query", "malformed-query", { rawQuery: "a=%" }],
    ["by PUT", "method-not-allowed", { method: "PUT" }],
    ["by PATCH", "method-not-allowed", { method: "PATCH" }],
    ["by GET with the body", "method-not-allowed", { method: "GET" }],
    ["by GET with the input in the query", "method-not-allowed", { method: "GET", input: { name: "Ada", email } }],
  ]),
  check("user.create/refused-not-stored#other-methods", { effect: "write" }, async (api) => {
    const email = api.email();
    for (const method of ["HEAD", "DELETE"])
      for (const rawQuery of ["", "@=user.create"])
        await inCase(`by ${method} with the query ${rawQuery}`, async () => {
          const request = requestOf(api, "user.create", { body: goodBody(email), rawQuery });
          const raw = await api.raw(api.rawRequest({ ...request, method }), { heads: [method === "HEAD"] });
          const reply = answered(raw, method);
          if (reply.status < 400) fail("state", "a refusal", describe(reply));
        });
    await expectNotCreated(api, [email]);
  }),
];
