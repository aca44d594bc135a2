import {
  type Golden,
  golden,
  invalid,
  rejected,
  scenario,
  success,
} from "../../../golden/table.ts";

/** A command that is sent again (D23, D25). */

const operation = "user.create";
const created = success(operation, { status: 201 });
const isTaken = rejected(409, "email-taken", { operation });

const EMAIL = "{mark}1@example.com";
const bodyOf = (name: string, email = EMAIL) =>
  `{"@":"user.create","data":{"name":"${name}","email":"${email}"}}`;
const send = (body: string, ...keys: readonly string[]) => ({
  key: "full",
  fields: keys.map((key) => ["Idempotency-Key", key] as const),
  body,
});
const create = (...keys: readonly string[]) => send(bodyOf("Ada"), ...keys);
/** 255 characters: the mark of a run has 33. */
const LONG = `{mark}${"m".repeat(222)}`;

export const commands: readonly Golden[] = [
  golden("user.create/key-after-input", invalid(operation, "#/data/name"), {
    "The key is checked after the input": send(bodyOf(""), "a b"),
  }),
  scenario(
    "user.create/replayed",
    "The same parsed data again under a long key, however it is written",
    [create(LONG), created],
    [
      send(`{ "data": {"email": "${EMAIL}", "name": "\\u0041da"}, "@": "user.create" }`, LONG),
      { ...created, isReplayed: true },
    ],
  ),
  golden("user.create/key-form", rejected(400, "invalid-idempotency-key", { operation }), {
    "A key of 256 characters is too long": create("a".repeat(256)),
    "A blank is not a visible character": create("a b"),
    "A character that is not ASCII": create("é"),
    "Two fields are not one key": create("a", "a"),
  }),
  scenario(
    "user.create/key-form",
    "An empty key is absent: the second call is another one",
    [create(""), created],
    [create(""), isTaken],
  ),
  scenario(
    "user.create/key-reused",
    "Other data under the key",
    [create("{mark}"), created],
    [send(bodyOf("Eve"), "{mark}"), rejected(422, "idempotency-key-reused", { operation })],
  ),
  scenario(
    "user.create/key-whole",
    "A key in other letter case is another key",
    [create("{mark}-a"), created],
    [create("{mark}-A"), isTaken],
  ),
  scenario(
    "user.create/email-taken",
    "An address that is taken, letter case aside",
    [send(bodyOf("Ada", "{mark}a@example.com")), created],
    [send(bodyOf("Ada", "{mark}A@EXAMPLE.com")), isTaken],
  ),
].flat();
