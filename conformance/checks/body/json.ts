import { type Check, check } from "../check.ts";
import { type Body, expectMalformed, expectRead, goodBody, readableBody, withName } from "./post.ts";

/** Values in the place of the name, which other languages take and JSON does not. */
const LITERALS = [
  ..."NaN Infinity -Infinity undefined True None nul TRUE x 01 +1 .5 5. 0x10 1_000 1e --1 1n".split(" "),
  ...["'Ada'", "`Ada`", '"Ada', 'Ada"', '"A" "da"'],
  ...['"\\x41"', '"\\u12"', '"\\u{41}"', '"\\a"', '"\\"', '"A\nda"', '"A\tda"', '"A\u0000da"', '"A\u001fda"'],
  ...["[1,]", "[,1]", "[1", "{,}", "{1:2}", '{"a"}', '{"a":}', '{"a" 1}'],
];

/** What is no JSON (RFC 8259), by the way in which it is not; `good` would create the user with this address. */
const MALFORMED: Readonly<Record<string, (good: string, email: string) => readonly Body[]>> = {
  "not-an-object": (good) => [
    ...["null", "true", "false", "0", "-0", "1", '""', '"user.create"', "[]", "[[]]", "[null]", '["@","user.create"]'],
    ...[`[${good}]`, JSON.stringify(good)],
  ],
  empty: () => ["", " ", "\n", "\r\n\t ", "\u0000"],
  truncated: (good) => [1, 2, 4, 6, 19, 20, 28, 30, -4, -3, -2, -1].map((cut) => good.slice(0, cut)),
  trailing: (good) => [
    ...[..."}],;x0\u0000\u00a0", "{}", " null", '""', "//", "/**/", "&a=b"].map((rest) => good + rest),
    `${good}\n${good}`,
  ],
  leading: (good) =>
    [...")]}',\n while(1); data= // a\n".split(" "), ..."\u001e\u000b\u000c\u00a0\u2028(,"].map((each) => each + good),
  "not-quite-json": (good, email) => [
    ["single quotes", good.replaceAll('"', "'")],
    ["member names without quotes", good.replace('"data"', "data").replace('"name"', "name")],
    ["a comma behind the last member", good.replace("}}", ",}}")],
    ["a comma behind the last member of the body", good.replace(/}$/, ",}")],
    ["a comment", good.replace('"data"', '/* input */ "data"')],
    ["a comment to the end of the line", good.replace('"data"', '// input\n"data"')],
    ["no comma between members", good.replace(',"data"', ' "data"')],
    ["two commas between members", good.replace(',"data"', ',,"data"')],
    ["= for a colon", good.replace('"data":', '"data"=')],
    ["round brackets", good.replace(/^{/, "(").replace(/}$/, ")")],
    ["typographic quotes", good.replaceAll('"', "\u201d")],
    ["a query", `@=user.create&name=Ada&email=${encodeURIComponent(email)}`],
    ["a body in percent-encoding", encodeURIComponent(good)],
    ["YAML", `"@": user.create\ndata: { name: Ada, email: "${email}" }\n`],
  ],
  literals: (good) => LITERALS.map((literal) => good.replace('"Ada Lovelace"', () => literal)),
};

/** RFC 8259 by the letter (D7). */
export const json: readonly Check[] = [
  ...Object.entries(MALFORMED).map(([variant, bodies]) =>
    check(`http/malformed-json#${variant}`, { effect: "write" }, async (api) => {
      const email = api.email();
      await expectMalformed(api, email, bodies(goodBody(email), email));
    }),
  ),
  check("http/malformed-json#well-formed-is-read", {}, (api) =>
    expectRead(api, [
      ["blanks around everything", ' \t\r\n{ "@" : "user.create" ,\n\t"data" : { } }\r\n\t '],
      ["escaped letters in names and values", '{"\\u0040":"user\\u002ecreate","d\\u0061ta":{}}'],
      ["members in another order", '{"data":{},"@":"user.create"}'],
      ["an empty member name", '{"@":"user.create","data":{"":1}}'],
      ...["1e400", "-1e400", "1e-400", "-0", "0.0", "1E+2", "123456789012345678901234567890", "[]", "{}"].map(withName),
      // An escaped solidus, a NUL, a lone surrogate, brackets and a half escape.
      ...['"a\\/b"', '"\\u0000"', '"\\ud800"', '"}]{[\\\\"'].map(withName),
      readableBody,
    ]),
  ),
];
