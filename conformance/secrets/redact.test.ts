import { describe, expect, it } from "vitest";
import { noGateway } from "../http/gateway.ts";
import { exchangeOf } from "../laws/exchange.test-kit.ts";
import { createRedactor, secretsOf } from "./redact.ts";

const value = 'atp_k+y/with=odd "signs"\'!';
const redactor = createRedactor([
  { name: "API_KEY", value },
  { name: "OTHER", value: `${value}-longer` },
]);

describe("a redactor", () => {
  const escaped = (sign: string) =>
    [...Buffer.from(value)].map((byte) => sign + byte.toString(16).padStart(2, "0")).join("");
  it.each([
    ["raw", value],
    ["as a component of a URL", encodeURIComponent(value)],
    ["as a form", new URLSearchParams({ k: value }).toString().slice(2)],
    ["in lower-case escapes", encodeURIComponent(value).toLowerCase()],
    ["strictly escaped", encodeURIComponent(value).replace("!", "%21").replace("'", "%27")],
    ["with every byte escaped", escaped("%")],
    ["escaped once more", escaped("%25").toUpperCase()],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    ["in base64", Buffer.from(value).toString("base64")],
    ["in base64url", Buffer.from(value).toString("base64url")],
  ])("finds the value %s", (_spelling, text) => {
    expect(redactor.text(`<${text}>`)).toBe("<$API_KEY>");
    expect(redactor.bytes(Buffer.from(`\xff${text}`, "latin1")).toString("latin1")).toBe(
      "\xff$API_KEY",
    );
  });

  it.each(["", "a", "ab", "abc"])("finds the value inside longer base64, behind %j", (before) => {
    for (const coding of ["base64", "base64url"] as const) {
      const text = Buffer.from(`${before}${value}:and more`).toString(coding);
      expect(redactor.text(text)).toMatch(/^.{0,4}\$API_KEY.{8,}$/);
    }
  });

  it("takes the longest value first", () => {
    expect(redactor.text(`${value}-longer ${value} web`)).toBe("$OTHER $API_KEY web");
  });

  describe("of a short value", () => {
    const { text, bytes } = createRedactor([
      { name: "API_KEY", value: "test" },
      { name: "NO_SCOPES_KEY", value: "ab" },
      { name: "REVOKED_KEY", value: "k&y" },
      { name: "EXPIRED_KEY", value },
    ]);

    it.each([
      ["X-API-KEY: test\r\n", "X-API-KEY: $API_KEY\r\n"],
      ["x-api-key: TEST", "x-api-key: $API_KEY"],
      ["/api/?X-API-KEY=te%73t&@=test.health", "/api/?X-API-KEY=$API_KEY&@=test.health"],
      ["/api/?X-API-KEY=%74%65%73%74#x", "/api/?X-API-KEY=$API_KEY#x"],
      ["/api/?X-API-KEY=k%26y&x=1", "/api/?X-API-KEY=$REVOKED_KEY&x=1"],
      ['{"X-API-KEY":"ab","than":"about"}', '{"X-API-KEY":"$NO_SCOPES_KEY","than":"about"}'],
      ["the key test, (test) or dGVzdA==.", "the key $API_KEY, ($API_KEY) or $API_KEY."],
      ["the latest test.health in test-kit", "the latest test.health in test-kit"],
      [`X-API-KEY: ${value}`, "X-API-KEY: $EXPIRED_KEY"],
    ])("takes %j for %j", (given, redacted) => {
      expect(text(given)).toBe(redacted);
      expect(bytes(Buffer.from(`\xff${given}`, "latin1")).toString("latin1")).toBe(
        `\xff${redacted}`,
      );
    });
  });

  it("takes long parts for the value, in any letter case", () => {
    const secret = "atp_Zq7vX2mK9tR4wY8pL1c";
    const { text, bytes } = createRedactor([{ name: "API_KEY", value: secret }]);
    const part = "$API_KEY[part]";
    for (const altered of [secret.slice(0, -1), secret.toUpperCase(), secret.replace("v", "V")])
      expect(text(`<${altered}>`)).toBe(`<${part}>`);
    expect(text(secret.slice(0, 7))).toBe("atp_Zq7");
    expect(text(`"${"x".repeat(30)}${secret.slice(0, 9)}"…`)).toBe(`"${"x".repeat(30)}${part}"…`);
    expect(text(`${secret.slice(0, 11)} ${secret.slice(11)}`)).toBe(`${part} ${part}`);
    expect(text(Buffer.from(`${secret.slice(0, -1)}0`).toString("base64"))).toMatch(
      /^\$API_KEY\[part\].{0,4}$/,
    );
    const raw = bytes(Buffer.from(`\xff${secret.slice(3)}`, "latin1"));
    expect(raw.toString("latin1")).toBe(`\xff${part}`);
    expect(createRedactor([]).text(secret)).toBe(secret);
  });
});

it("a whole exchange is redacted", () => {
  const fields = [["X-API-KEY", value]] as const;
  const framing = { chunks: [1], extensions: `;a=${value}`, trailers: fields };
  const target = `/?k=${encodeURIComponent(value)}`;
  const request = { method: "POST", target, fields, body: value, framing };
  const response = { reason: value, fields, body: value };
  const { response: shown, ...rest } = redactor.exchange(
    exchangeOf(request, response, { error: `no ${value}` }),
  );
  const text = JSON.stringify({ ...shown, ...rest, body: `${shown?.body}` });
  expect(text).not.toContain("atp_k");
  expect(text.match(/\$API_KEY/g)).toHaveLength(9);
});

it("every key of a run, and each field of a gateway, has a name", () => {
  const key = (text: string) => ({ key: text, platform: "web" });
  const credentials = { full: key("1"), special: { noScopes: key("2"), "users:read": key("3") } };
  const gateway = { ...noGateway, fields: [["X-Gate", "4"] as const] };
  expect(secretsOf(credentials, gateway)).toEqual([
    { name: "API_KEY", value: "1" },
    { name: "NO_SCOPES_KEY", value: "2" },
    { name: "USERS_READ_KEY", value: "3" },
    { name: "HEADER_X_GATE", value: "4" },
  ]);
});
