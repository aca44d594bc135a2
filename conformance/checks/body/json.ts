import { type Check, check } from "../check.ts";
import { type Body, expectMalformed, expectRead, goodBody, readableBody } from "./post.ts";

/** Values in the place of the name, which other languages take and JSON does not. */
const LITERALS = [
  ...["NaN", "Infinity", "-Infinity", "undefined", "True", "None", "nul", "TRUE", "x"],
  ...["01", "+1", ".5", "5.", "0x10", "1_000", "1e", "--1", "1n"],
  ...["'Ada'", "`Ada`", '"Ada', 'Ada"', '"A" "da"'],
  ...['"\\x41"', '"\\u12"', '"\\u{41}"', '"\\a"', '"\\"', '"A\nda"', '"A\tda"', '"A\u0000da"', '"A\u001fda"'],
  ...["[1,]", "[,1]", "[1", "{,}", "{1:2}", '{"a"}', '{"a":}', '{"a" 1}'],
];

/** RFC 8259 by the letter (D7). */
export const json: readonly Check[] = [
  check("http/malformed-json#not-an-object", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = goodBody(email);
    const values = ["null", "true", "false", "0", "-0", "1", '""', '"user.create"', "[]", "[[]]", "[null]"];
    await expectMalformed(api, email, [
      ...values.map((value): Body => [`${value} as the body`, value]),
      ["the object in an array", `[${body}]`],
      ["the object as a JSON string", JSON.stringify(body)],
      ["member and value in an array", '["@","user.create"]'],
    ]);
  }),
  check("http/malformed-json#empty", { effect: "write" }, async (api) => {
    const blanks = ["", " ", "\n", "\r\n\t "];
    const bodies = blanks.map((text): Body => [`the body ${JSON.stringify(text)}`, text]);
    await expectMalformed(api, api.email(), [...bodies, ["a NUL as the body", "\u0000"]]);
  }),
  check("http/malformed-json#truncated", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = goodBody(email);
    const cuts = [1, 2, 4, 6, 19, 20, 28, 30, body.length - 4, body.length - 3, body.length - 2, body.length - 1];
    await expectMalformed(
      api,
      email,
      cuts.map((cut) => [`cut off after ${cut} bytes`, body.slice(0, cut)]),
    );
  }),
  check("http/malformed-json#trailing", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = goodBody(email);
    const rests = [
      "}",
      "]",
      ",",
      ";",
      "x",
      "0",
      "{}",
      " null",
      "\u0000",
      '""',
      `\n${body}`,
      "//",
      "/**/",
      "&a=b",
      "\u00a0",
    ];
    await expectMalformed(
      api,
      email,
      rests.map((rest) => [`${JSON.stringify(rest)} behind the object`, body + rest]),
    );
  }),
  check("http/malformed-json#leading", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = goodBody(email);
    const befores = [
      ")]}',\n",
      "while(1);",
      "\u001e",
      "\u000b",
      "\u000c",
      "\u00a0",
      "\u2028",
      "(",
      ",",
      "data=",
      "// a\n",
    ];
    await expectMalformed(
      api,
      email,
      befores.map((before) => [`${JSON.stringify(before)} before the object`, before + body]),
    );
  }),
  check("http/malformed-json#not-quite-json", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = goodBody(email);
    await expectMalformed(api, email, [
      ["single quotes", body.replaceAll('"', "'")],
      ["member names without quotes", body.replace('"data"', "data").replace('"name"', "name")],
      ["a comma behind the last member", body.replace("}}", ",}}")],
      ["a comma behind the last member of the body", body.replace(/}$/, ",}")],
      ["a comment", body.replace('"data"', '/* input */ "data"')],
      ["a comment to the end of the line", body.replace('"data"', '// input\n"data"')],
      ["no comma between members", body.replace(',"data"', ' "data"')],
      ["two commas between members", body.replace(',"data"', ',,"data"')],
      ["= for a colon", body.replace('"data":', '"data"=')],
      ["round brackets", body.replace(/^{/, "(").replace(/}$/, ")")],
      ["typographic quotes", body.replaceAll('"', "\u201d")],
      ["a query", `@=user.create&name=Ada&email=${encodeURIComponent(email)}`],
      ["a body in percent-encoding", encodeURIComponent(body)],
      ["YAML", `"@": user.create\ndata: { name: Ada, email: "${email}" }\n`],
    ]);
  }),
  check("http/malformed-json#literals", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = goodBody(email, "Ada");
    await expectMalformed(
      api,
      email,
      LITERALS.map((literal) => [`the name ${JSON.stringify(literal)}`, body.replace('"Ada"', () => literal)]),
    );
  }),
  check("http/malformed-json#well-formed-is-read", {}, async (api) => {
    const inName = (text: string) => `{"@":"user.create","data":{"name":${text}}}`;
    await expectRead(api, [
      ["blanks around everything", ' \t\r\n{ "@" : "user.create" ,\n\t"data" : { } }\r\n\t '],
      ["escaped letters in names and values", '{"\\u0040":"user\\u002ecreate","d\\u0061ta":{}}'],
      ["an escaped solidus", inName('"a\\/b"')],
      ["members in another order", '{"data":{},"@":"user.create"}'],
      ["an escape for a NUL", inName('"\\u0000"')],
      ["a lone surrogate as an escape", inName('"\\ud800"')],
      ["an empty member name", '{"@":"user.create","data":{"":1}}'],
      ...["1e400", "-1e400", "1e-400", "-0", "0.0", "1E+2", "123456789012345678901234567890", "[]", "{}"].map(
        (value): Body => [`the value ${value}`, inName(value)],
      ),
      ["brackets and a half escape in a string", inName('"}]{[\\\\"')],
      ["the twin of all", readableBody],
    ]);
  }),
];
