import { type Golden, golden, invalid, rejected, success } from "../../../golden/table.ts";

/** How an operation is called (D1 to D15). */

const target = "/api/?@=sysinfo";
const isServed = success("sysinfo");
const wrongName = invalid("user.create", "#/data/name");
const noCommand = rejected(405, "method-not-allowed", {
  operation: "user.create",
  allow: "POST, OPTIONS",
});
const withId = (id: string) => ({ target, fields: [["X-Request-Id", id]] as const });
/** A creation whose members of `data` are written like this, and an address. */
const create = (members: string) => ({
  key: "full",
  body: `{"@":"user.create","data":{${members},"email":"{mark}1@example.com"}}`,
});
const created = success("user.create", { status: 201 });

export const calls: readonly Golden[] = [
  golden("http/url-limit", isServed, {
    "A target of 8,192 bytes passes; what a public operation has as a credential is not checked":
      `${target}&X-API-KEY=`.padEnd(8192, "k"),
  }),
  golden("http/header-count", isServed, {
    "100 fields pass: Host, Connection and 98 more": {
      target,
      fields: [["Connection", "close"], ...Array(98).fill(["X-More", "a"])],
    },
  }),
  golden("http/header-limit", isServed, {
    "Fields that have 16 KiB with all that is between them pass": {
      target,
      fields: [["Connection", "close"]],
      headBytes: 16_384,
    },
  }),
  golden("http/versions", isServed, {
    "A target in absolute form is served": `{origin}${target}`,
    "HTTP/1.0 is served": { target, version: "1.0" },
  }),
  golden("http/request-id", isServed, {
    "The id of the caller, of 64 characters, comes back": withId("z".repeat(64)),
    "One of 65 characters does not: the new one has at most 64": withId("z".repeat(65)),
    "39 hexadecimal digits in a row are no form of a key": withId("a".repeat(39)),
    "40 of them are, in any letter case": withId(`z${"aA".repeat(20)}`),
    "The beginning of a key is, before a hexadecimal digit": withId("ATP_0"),
  }),

  golden("dispatch/percent-encoded", isServed, { "%40 is @": "/api/?%40=sysinfo" }),
  golden("dispatch/wrong-method", noCommand, {
    "A command by GET: its method comes before its credentials": "/api/?@=user.create",
  }),
  golden(
    "dispatch/wrong-method",
    rejected(405, "method-not-allowed", { operation: "sysinfo", allow: "GET, HEAD, OPTIONS" }),
    { "A query by POST": { body: '{"@":"sysinfo","data":{}}' } },
  ),
  golden("http/head-refused", noCommand, {
    "A rejection of HEAD has no body": { method: "HEAD", target: "/api/?@=user.create" },
  }),
  golden("dispatch/head", isServed, { "HEAD is GET without the body": { method: "HEAD", target } }),

  golden("http/dot-segments", isServed, {
    "Dot segments are removed, and choose nothing": "/api/user.list/.././?@=sysinfo",
  }),
  golden("http/body-limit", invalid("user.create", "#/data"), {
    "A body of 65,536 bytes is read: what it lacks is found": {
      key: "full",
      body: '{"@":"user.create"}'.padEnd(65_536),
    },
  }),
  golden("http/body-limit-on-get", isServed, {
    "A body on GET is ignored, with 65,536 bytes too": {
      method: "GET",
      target,
      body: "a".repeat(65_536),
    },
  }),
  golden("http/nesting", wrongName, {
    "16 levels are read, the body being the first: a list is then no name": create(
      `"name":${"[".repeat(14)}${"]".repeat(14)}`,
    ),
  }),
  golden("http/nesting", created, {
    "Brackets in a text are no levels": create(`"name":"${"[".repeat(17)}"`),
  }),
  golden("http/body-parts", wrongName, {
    "1,024 parts are read: braces, brackets and commas together": create(
      `"name":[${"0,".repeat(1019)}0]`,
    ),
    "In a text they are no parts": create(`"name":"${",".repeat(1025)}"`),
  }),
  golden("http/proto-member", created, {
    "One whose value is replaced is not in the parsed value": create(
      '"__proto__":1},"data":{"name":"Ada"',
    ),
  }),
  golden("input/last-duplicate", created, {
    "Of members with one name the last counts": create('"name":1,"name":"Ada"'),
  }),
  golden(
    "http/media-type-spelling",
    rejected(401, "credentials-missing", { operation: "user.create" }),
    {
      "In any letter case, in utf-8: the operation is found, and credentials are missing": {
        fields: [["Content-Type", 'Application/JSON; charset="UTF-8"']],
        body: '{"@":"user.create"}',
      },
    },
  ),
].flat();
