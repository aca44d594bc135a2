import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "../problem.ts";
import { parseJsonObject, syntaxFault } from "./json.ts";

const limits = { maxJsonDepth: 16, maxJsonParts: 1024 };
const read = (text: string | Buffer) => parseJsonObject(Buffer.from(text), limits);
const malformed = expect.objectContaining({ code: "malformed-json" });
const nested = (levels: number, open = "[", close = "]") =>
  `{"a":${open.repeat(levels - 1)}${close.repeat(levels - 1)}}`;

describe("parseJsonObject", () => {
  it("reads an object", () => {
    expect(read(' {"@":"user.create","data":{"name":"é"}} ')).toEqual({ "@": "user.create", data: { name: "é" } });
  });

  it("lets the last of duplicate members count", () => {
    expect(read('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it("leaves `constructor` to the schema", () => {
    expect(Object.keys(read('{"constructor":{"prototype":{}}}'))).toEqual(["constructor"]);
  });

  it.each(["", " ", "null", "1", '"a"', "[]", "[{}]", "{", "{}}", "{'a':1}", "{a:1}", '{"a":1,}', "undefined"])(
    "rejects %j",
    (text) => {
      expect(() => read(text)).toThrow(malformed);
    },
  );

  it("rejects a byte order mark, and bytes that are not UTF-8", () => {
    expect(() => read("\ufeff{}")).toThrow(malformed);
    expect(() => read(Buffer.from('{"a":"\u00e9"}', "latin1"))).toThrow(malformed);
    expect(() => read(Buffer.from('{"a":1}', "utf16le"))).toThrow(malformed);
  });

  it.each(['{"__proto__":1}', '{"a":[{"__proto__":{}}]}', '{"\\u005f_pr\\u006Fto__":1}'])("rejects %s", (text) => {
    expect(() => read(text)).toThrow(malformed);
  });

  it("rejects `__proto__` in every spelling", () => {
    const letter = (char: string) =>
      fc.constantFrom(
        char,
        `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
        `\\u00${char.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    const spelling = fc.tuple(...[..."__proto__"].map(letter)).map((letters) => letters.join(""));
    fc.assert(fc.property(spelling, (name) => void expect(() => read(`{"data":{"${name}" : 1}}`)).toThrow(malformed)));
  });

  it("takes `__proto__` as a value, and where a later member of the same name replaces it", () => {
    expect(read('{"a":"__proto__"}')).toEqual({ a: "__proto__" });
    expect(read('{"a":{"__proto__":1},"a":1}')).toEqual({ a: 1 });
  });

  it("takes sixteen levels and rejects seventeen", () => {
    expect(() => read(nested(16))).not.toThrow();
    expect(() => read(nested(17))).toThrow(malformed);
    expect(() => read(nested(16, '{"b":', "}").replace(":}", ":1}"))).not.toThrow();
    expect(() => read(nested(17, '{"b":', "}").replace(":}", ":1}"))).toThrow(malformed);
    expect(() => read("[".repeat(65_536))).toThrow(malformed);
  });

  it("counts the levels of the text, also those that a later member of the same name replaces", () => {
    const replaced = (levels: number) => nested(levels).replace("}", ',"a":1}');
    expect(read(replaced(16))).toEqual({ a: 1 });
    expect(() => read(replaced(17))).toThrow(malformed);
  });

  it("reads any right JSON as JSON.parse does, whatever brackets, quotes and escapes its strings hold", () => {
    const strings = fc.string({ unit: fc.constantFrom(...'[]{}"\\u_a\u00e9', "__proto__", "\\u005f"), maxLength: 40 });
    const value = fc.jsonValue({ maxDepth: 10, stringUnit: "binary" });
    const texts = fc.tuple(fc.array(strings, { maxLength: 40 }), value).map((data) => JSON.stringify({ data }));
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!/"__proto__"\s*:/.test(text));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("finds the seventeenth level behind any strings", () => {
    const text = fc.string({ unit: fc.constantFrom(...'[]{}"\\a'), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text), (strings) => {
        const before = JSON.stringify(strings);
        expect(() => read(`{"b":${before},${nested(16).slice(1)}`)).not.toThrow();
        expect(() => read(`{"b":${before},${nested(17).slice(1)}`)).toThrow(malformed);
      }),
    );
  });

  it("counts no brackets inside strings, and siblings once", () => {
    expect(() => read(`{"${"[".repeat(40)}":"\\"${"{".repeat(40)}\\\\","b":[${"[],".repeat(40)}1]}`)).not.toThrow();
  });

  it.each([
    ["members", (parts: number) => `{${Array.from({ length: parts }, (_, at) => `"${at}":1`).join()}}`],
    ["a list", (parts: number) => `{"a":[0${",0".repeat(parts - 2)}]}`],
    ["objects", (parts: number) => `{"a":[{}${",{}".repeat((parts - 3) >> 1)}${parts % 2 === 0 ? ",1" : ""}]}`],
    ["a value that another one replaces", (parts: number) => `{"a":[0${",0".repeat(parts - 3)}],"a":1}`],
  ])("takes 1,024 parts and rejects 1,025: %s", (_, inParts) => {
    for (const before of ["", '"é{[,\\\\":"', '"\\"[{,\\\\":"']) {
      const text = (parts: number) =>
        before ? inParts(parts - 1).replace("{", `{${before}${"[{,".repeat(1_025)}",`) : inParts(parts);
      expect(() => read(text(1_024))).not.toThrow();
      expect(() => read(text(1_025))).toThrow("The body has more than 1024 of `{`, `[` and `,` outside strings.");
    }
  });

  it.each([
    ["not UTF-8", Buffer.from('{"a":"\u00e9"}', "latin1"), "The body is not UTF-8."],
    ["a byte order mark", "\ufeff{}", "The body begins with a byte order mark."],
    ["a list", "[]", "The body is JSON, but not an object."],
    ["levels", nested(17), "The body is nested deeper than 16 levels."],
    ["__proto__", '{"a":{"__proto__":1}}', "The body has a member `__proto__`."],
    ["an error with a position", '{"s3cret":1,}', "The body is not valid JSON at position 12."],
    ["an error at the end", '{"s3cret":', "The body is not valid JSON."],
    ["a text like a position", '{"a":at position 7}', "The body is not valid JSON."],
  ])("says in `detail` which cause it is: %s", (_, body, detail) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ message: detail }));
  });

  it.each([
    ["Unexpected token } in JSON at position 5", "is not valid JSON at position 5"],
    ["Expected ',' or '}' after property value in JSON at position 5", "is not valid JSON at position 5"],
    [
      "Expected ',' or ']' after array element in JSON at position 5 (line 1 column 6)",
      "is not valid JSON at position 5",
    ],
    ["Unexpected token 'a', \"at position 5\" is not valid JSON", "is not valid JSON"],
    ["Unexpected token 'a', ...\"at position 5 (line 1 column 6)\"... is not valid JSON", "is not valid JSON"],
    ["Unexpected end of JSON input", "is not valid JSON"],
  ])("takes only the position from the engines of Node.js 20 and 24: %s", (message, fault) => {
    expect(syntaxFault(message)).toBe(fault);
  });

  it("throws nothing but problems", () => {
    const text = fc.oneof(fc.json(), fc.string({ unit: fc.constantFrom(...'{}[]"\\:,1a') }));
    const bytes = fc.oneof(
      text.map((json) => Buffer.from(json)),
      fc.uint8Array().map((array) => Buffer.from(array)),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        try {
          expect(parseJsonObject(input, limits)).toEqual(JSON.parse(input.toString()));
        } catch (thrown) {
          if (!(thrown instanceof Problem)) throw thrown;
          expect(thrown.code).toBe("malformed-json");
        }
      }),
    );
  });
});
