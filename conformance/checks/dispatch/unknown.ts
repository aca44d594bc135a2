import type { Api } from "../../client/api.ts";
import type { CallCredentials } from "../../client/call.ts";
import { expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { findOperation } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { expectUnknown, inCase, shown } from "../probe.ts";

/** Names that no operation has (D3). */

const plain = [
  "no.such.operation",
  "user",
  "list",
  "create",
  "user.delete",
  "user.get",
  "user.update",
  "users.list",
  "user.list.all",
  "docs",
  "docs.delete.README",
  "test",
  "health",
  "admin",
  "help",
  "system.listMethods",
  "keys.list",
].filter((name) => findOperation(name) === null);
const words = ["null", "undefined", "true", "false", "0", "1", "-1", "NaN", "[object Object]", "{}", "[]", "default"];
const symbols = [
  "@",
  ".",
  "..",
  "...",
  "/",
  "\\",
  "*",
  "%",
  "&",
  "=",
  "?",
  "#",
  "'",
  '"',
  "<script>",
  "{{7*7}}",
  "' OR 1=1 --",
  "../../etc/passwd",
];
const blanks = [" ", "  ", "\t", "\n", "\u0000", "\u00a0", "\u3000", "\u200b", "\ufeff"];
const unicode = ["\u00fcser.list", "\u7528\u6237", "\u{1f600}", "e\u0301", "\u202e", "\u0661", "\ufffd", "\u{10ffff}"];

/** What every object of JavaScript has, and what a map or an array has. */
const inherited = [
  "constructor",
  "__proto__",
  "prototype",
  "toString",
  "toLocaleString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "get",
  "has",
  "size",
  "length",
  "then",
  "toJSON",
  "constructor.name",
  "constructor.prototype",
  "__proto__.sysinfo",
  "user.constructor",
  "user.__proto__",
  "docs.get.__proto__",
];

const query = (api: Api, name: string, credentials: CallCredentials = "good") =>
  api.call(name, { method: "GET", credentials });
const body = (api: Api, name: string, credentials: CallCredentials = "good") =>
  api.call(name, { method: "POST", credentials, input: { name: "Ada Lovelace" } });

async function expectAllUnknown(list: readonly string[], send: (name: string) => Promise<Reply>): Promise<void> {
  for (const name of list) await inCase(shown(name), async () => expectUnknown(await send(name)));
}

/** Names with what another parser would end them at, as it stands in a query. */
const raw = ["=", "=x", "==", "?", "?x=1", ";", ";x=1", "/", ":", ",docs.list", "!", "()", "*", "~", "$"];

const groups = { plain, words, symbols, blanks, unicode };

/** Nowhere in the answer, in no spelling: `token` is in the name that was sent. */
function expectNoEcho(reply: Reply, token: string): void {
  const whole = [reply.exchange.answer?.reason ?? "", ...reply.headers.flat(), reply.text].join("\n");
  const base64 = Buffer.from(token).toString("base64").slice(0, -4);
  for (const spelling of [token, base64]) {
    const at = whole.toLowerCase().indexOf(spelling.toLowerCase());
    if (at >= 0)
      fail(
        "body",
        "the name of an unknown operation not to be repeated",
        shown(whole.slice(Math.max(0, at - 30), at + 60)),
      );
  }
}

export const unknown = [
  ...Object.entries(groups).map(([group, list]) =>
    check(`dispatch/unknown#${group}`, {}, async (api) => {
      await expectAllUnknown(list, (name) => query(api, name));
      await expectAllUnknown(list, (name) => body(api, name));
      expectSuccess(await api.call("sysinfo"), "sysinfo");
    }),
  ),
  check("dispatch/unknown#not-cut", {}, async (api) => {
    for (const rawQuery of ["@==sysinfo", "@=;sysinfo", "@=?sysinfo", ...raw.map((more) => `@=sysinfo${more}`)]) {
      await inCase(`?${rawQuery}`, async () => expectUnknown(await api.call("", { rawQuery })));
    }
    expectSuccess(await api.call("", { rawQuery: "@=sysinfo" }), "sysinfo");
  }),
  check("dispatch/unknown#without-credentials", {}, async (api) => {
    for (const send of [query, body]) await expectAllUnknown(plain, (name) => send(api, name, "none"));
  }),
  check("dispatch/unknown#whatever-the-credentials", {}, async (api) => {
    const wrong: readonly CallCredentials[] = [
      { key: { header: "not-a-key" }, platform: { header: api.platform } },
      { key: { header: api.key }, platform: { header: "not-a-platform" } },
      { key: { header: api.key, query: "another" }, platform: { header: api.platform } },
      { key: { header: api.key } },
      { platform: { query: api.platform } },
    ];
    for (const credentials of wrong) {
      expectUnknown(await query(api, "no.such.operation", credentials));
      expectUnknown(await body(api, "no.such.operation", credentials));
    }
  }),
  check("dispatch/unknown#whatever-else", {}, async (api) => {
    const name = "no.such.operation";
    expectUnknown(await api.call(name, { accept: "image/png" }));
    expectUnknown(await api.call(name, { query: [["limit", "-1"]] }));
    expectUnknown(await api.call(name, { method: "POST", body: { "@": name } }));
    expectUnknown(await api.call(name, { method: "POST", body: { "@": name, data: "none", more: null } }));
    expectStatus(await api.call(name, { method: "HEAD" }), 404);
    expectStatus(await api.call(name, { method: "HEAD", credentials: "none" }), 404);
  }),
  check("dispatch/unknown#long", {}, async (api) => {
    const names = [
      "a".repeat(7_500),
      "user.list".repeat(800),
      ".".repeat(7_000),
      `docs.get.${"a".repeat(7_000)}`,
      "%".repeat(2_000),
    ];
    await expectAllUnknown(names, (name) => query(api, name));
    await expectAllUnknown([...names, "x".repeat(60_000)], (name) => body(api, name));
  }),

  check("dispatch/prototype-names#query", {}, async (api) => {
    for (const credentials of ["good", "none"] as const) {
      await expectAllUnknown(inherited, (name) => query(api, name, credentials));
    }
    expectSuccess(await api.call("sysinfo"), "sysinfo");
  }),
  check("dispatch/prototype-names#body", {}, async (api) => {
    for (const credentials of ["good", "none"] as const) {
      await expectAllUnknown(inherited, (name) => body(api, name, credentials));
    }
    expectSuccess(await api.call("sysinfo"), "sysinfo");
  }),
  check("dispatch/prototype-names#head", {}, async (api) => {
    for (const name of inherited) {
      await inCase(name, async () => expectStatus(await api.call(name, { method: "HEAD" }), 404));
    }
  }),

  ...(["GET", "POST"] as const).map((method) =>
    check(`dispatch/no-echo#${method}`, {}, async (api) => {
      const token = `zq${api.runId}echo`;
      const names = [
        token,
        `user.${token}`,
        `user.list-${token}`,
        `docs.get.-${token}`,
        `<b>${token}</b>`,
        `\r\nX: ${token}`,
        `${token}\u0000`,
        `${token}${"a".repeat(5_000)}`,
      ];
      for (const name of names) {
        for (const accept of ["application/json", "text/html"]) {
          const reply = await api.call(name, { method, accept });
          await inCase(shown(name), () => {
            expectUnknown(reply);
            expectNoEcho(reply, token);
          });
        }
      }
    }),
  ),
  check("dispatch/no-echo#HEAD", {}, async (api) => {
    const token = `zq${api.runId}echo`;
    const reply = await api.call(token, { method: "HEAD" });
    expectStatus(reply, 404);
    expectNoEcho(reply, token);
  }),
];
