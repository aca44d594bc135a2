import {
  type Golden,
  type GoldenRequest,
  type GoldenResponse,
  golden,
  invalid,
  rejected,
  scenario,
  success,
} from "../../../golden/table.ts";

/** Users: their pages, the name and the e-mail address of each (D8, D23, D24, D26). */

const list = (query: string) => ({ key: "full", target: `/api/?@=user.list&${query}` });
const listed = success("user.list");
const wrongCursor = rejected(400, "invalid-cursor", { operation: "user.list" });
const wrongLimit = invalid("user.list", "limit");

const create = (name: string, email = '"{mark}1@example.com"') => ({
  key: "full",
  body: `{"@":"user.create","data":{"name":${name},"email":${email}}}`,
});
const mailed = (email: string) => create('"Ada"', `"${email}"`);
const created = success("user.create", { status: 201 });
const wrongName = invalid("user.create", "#/data/name");
const wrongEmail = invalid("user.create", "#/data/email");

/** Requests that are made of a text each, by their titles. */
const each = (
  requirement: string,
  request: (text: string) => GoldenRequest,
  response: GoldenResponse,
  texts: Readonly<Record<string, string>>,
): readonly Golden[] =>
  Object.entries(texts).flatMap(([title, text]) =>
    golden(requirement, response, { [title]: request(text) }),
  );

const lists = [
  each("user.list/limit-range", list, wrongLimit, {
    "0 is too few": "limit=0",
    "A negative integer is too few": "limit=-1",
    "201 is too many": "limit=201",
  }),
  each("user.list/limit-range", list, listed, { "1": "limit=1", "200": "limit=200" }),
  each("input/integers", list, listed, { "A digit may be percent-encoded": "limit=%31" }),
  each("input/integers", list, wrongLimit, {
    "A leading zero": "limit=01",
    "A plus sign": "limit=%2B1",
    "Minus zero": "limit=-0",
    "A leading zero after the sign": "limit=-01",
    "An exponent": "limit=1e1",
    "A blank": "limit=+1",
  }),
  each("input/empty-is-not-absent", list, wrongLimit, { "Empty is not absent": "limit=" }),
  each("input/unknown-parameter", list, invalid("user.list", "#", "limit"), {
    "An unknown parameter is reported at the whole input": "offset=0&limit=0",
  }),
  scenario(
    "user.list/next",
    "Where another user follows there is a cursor, and it is taken",
    [create('"Ada"'), created],
    [create('"Eve"', '"{mark}2@example.com"'), created],
    [list("limit=1"), listed],
    [list("limit=1&cursor={cursor}"), listed],
  ),
  each("user.list/invalid-cursor", list, wrongCursor, {
    "A cursor that was not given out": "cursor=x",
    "An empty one is not absent": "cursor=",
  }),
  each("dispatch/order", list, wrongLimit, {
    "The input comes before the cursor": "cursor=x&limit=0",
  }),
].flat();

const names = [
  each("user.create/name-length", create, wrongName, {
    "No character is too few": '""',
    "201 characters are too many": `"${"a".repeat(201)}"`,
    "201 of them are too many": `"${"😀".repeat(201)}"`,
  }),
  each("user.create/name-length", create, created, {
    "One character": '"a"',
    "200 characters": `"${"a".repeat(200)}"`,
    "200 code points of two UTF-16 units and four bytes each": `"${"😀".repeat(200)}"`,
  }),
  each("user.create/as-sent", create, created, {
    "It is stored as sent, not composed": '"Ame\\u0301lie  O\\u0027Neil"',
  }),
  each("user.create/name-blanks", create, wrongName, {
    "A blank before it": '" Ada"',
    "A line end behind it, which is both white space and a control": '"Ada\\n"',
    "An ideographic blank behind it": '"Ada\\u3000"',
  }),
  each("user.create/name-characters", create, wrongName, {
    "The first control character": '"A\\u0000a"',
    "The last control character": '"A\\u009fa"',
    "A bidirectional override": '"A\\u202ea"',
    "A bidirectional isolate": '"A\\u2066a"',
    "A lone surrogate": '"A\\ud83da"',
  }),
  each("input/wrong-type", create, wrongName, {
    "A number is no name, and nothing is converted": "1",
  }),
].flat();

/** 64 characters: the mark of a run has 33. */
const LOCAL = `{mark}${"a".repeat(31)}`;
const LABELS = `@${"d".repeat(49)}.${"d".repeat(49)}.${"d".repeat(49)}.`;

const emails = [
  golden("user.create/email-length", created, {
    "64 characters before the @; the id of the request is returned": {
      ...mailed(`${LOCAL}@example.com`),
      fields: [["X-Request-Id", "z".repeat(64)]],
    },
  }),
  each("user.create/email-length", mailed, created, {
    "254 characters in all": `${LOCAL}${LABELS}${"d".repeat(27)}.example.com`,
  }),
  each("user.create/email-length", mailed, wrongEmail, {
    "65 characters before the @ are too many": `${LOCAL}a@example.com`,
    "255 characters are too many": `${LOCAL}${LABELS}${"d".repeat(28)}.example.com`,
  }),
  each("user.create/email-syntax", mailed, created, {
    "All that the HTML standard allows before the @, dots anywhere; after it one label is enough":
      ".{mark}..!#$%&'*+/=?^_{|}~-.@a",
    "A label of 63 characters": `{mark}@${"a".repeat(63)}.example.com`,
  }),
  each("user.create/email-syntax", mailed, wrongEmail, {
    "A label of 64 characters is too long": `{mark}@${"a".repeat(64)}.example.com`,
    "A label does not begin with a hyphen": "{mark}@-a.example.com",
    "A label is not empty": "{mark}@example..com",
    "There is one @": "{mark}@a@example.com",
    "A character that is not ASCII": "{mark}é@example.com",
  }),
].flat();

export const users: readonly Golden[] = [
  lists,
  names,
  emails,
  golden(
    "errors/all-faults",
    invalid("user.create", "#", "#/data", "#/data/name", "#/data/email"),
    {
      "Every fault is reported: what is missing where it belongs, what is unknown at its parent": {
        key: "full",
        body: '{"@":"user.create","more":1,"data":{"email":"a","more":1}}',
      },
    },
  ),
  golden("input/missing-member", invalid("user.create", "#/data"), {
    "Without data nothing within it is missing": { key: "full", body: '{"@":"user.create"}' },
  }),
  golden("input/post-query", invalid("user.create", "#"), {
    "The query of a POST takes only the two credentials": {
      ...create('"Ada"'),
      target: "/api/?name=Ada",
    },
  }),
].flat();
