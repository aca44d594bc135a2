import type { Api } from "../../client/api.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import type { Aspect } from "../../client/expectation.ts";
import { findOperation } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { askEach, expectUnknown, inCase, inEach, shown } from "../probe.ts";

/** Names that no operation has (D3). */

const words = (text: string) => text.split(" ").filter((name) => findOperation(name) === null);

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  plain: [
    ...words("no.such.operation user list create user.delete user.get user.update users.list user.list.all docs"),
    ...words("docs.delete.README test health admin help system.listMethods keys.list"),
  ],
  words: [...words("null undefined true false 0 1 -1 NaN {} [] default"), "[object Object]"],
  symbols: [..."@./\\*%&=?#'\"", ...words("... .. <script> {{7*7}} ../../etc/passwd"), "' OR 1=1 --"],
  blanks: [..." \t\n\u0000\u00a0\u3000\u200b\ufeff", "  "],
  unicode: ["\u00fcser.list", "\u7528\u6237", "e\u0301", ..."\u{1f600}\u202e\u0661\ufffd\u{10ffff}"],
};

/** What every object of JavaScript has, and what a map or an array has. */
const INHERITED = [
  ...words("constructor __proto__ prototype toString toLocaleString valueOf hasOwnProperty isPrototypeOf"),
  ...words("propertyIsEnumerable __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ get has size"),
  ...words("length then toJSON constructor.name constructor.prototype __proto__.sysinfo user.constructor"),
  ...words("user.__proto__ docs.get.__proto__"),
];

/** The name of an operation with what another parser would end it at, as it stands in a query. */
const NOT_CUT = [
  ...words("==sysinfo =;sysinfo =?sysinfo"),
  ...words("= =x == ? ?x=1 ; ;x=1 / : ,docs.list ! () * ~ $").map((more) => `=sysinfo${more}`),
];

const LONG = ["a".repeat(7_500), "user.list".repeat(800), ".".repeat(7_000), "%".repeat(2_000)];

/** By query and by body, with credentials and without in turn. */
async function expectAllUnknown(api: Api, names: readonly string[], methods = ["GET", "POST"]): Promise<void> {
  for (const [at, name] of names.entries())
    for (const [turn, method] of methods.entries()) {
      const credentials = (at + turn) % 2 === 0 ? "good" : "none";
      const input = method === "POST" ? { name: "Ada Lovelace" } : {};
      await inCase(`${method} of ${shown(name)}`, async () =>
        expectUnknown(await api.call(name, { method, credentials, input })),
      );
    }
}

/** Nowhere in the answer, in no spelling: `token` is in the name that was sent. */
function expectNoEcho(reply: Reply, token: string): void {
  const texts: readonly (readonly [Aspect, string])[] = [
    ["status", reply.exchange.answer?.reason ?? ""],
    ...reply.headers.map(([name, value]) => [`header:${name.toLowerCase()}`, `${name}: ${value}`] as const),
    ["body", reply.text],
  ];
  const spellings = [token, Buffer.from(token).toString("base64").slice(0, -4)].map((each) => each.toLowerCase());
  for (const [aspect, text] of texts)
    if (spellings.some((spelling) => text.toLowerCase().includes(spelling)))
      fail(aspect, "the name of an unknown operation not to be repeated", shown(text));
}

export const unknown = [
  ...Object.entries(GROUPS).map(([group, names]) =>
    check(`dispatch/unknown#${group}`, {}, (api) => expectAllUnknown(api, names)),
  ),
  check("dispatch/unknown#not-cut", {}, async (api) => {
    await askEach(
      api,
      NOT_CUT.map((value) => `@${value}`),
      expectUnknown,
    );
    expectSuccess(await api.call("", { rawQuery: "@=sysinfo" }), "sysinfo");
  }),
  check("dispatch/unknown#long", {}, async (api) => {
    await expectAllUnknown(api, [...LONG, `docs.get.${"a".repeat(7_000)}`]);
    await expectAllUnknown(api, ["x".repeat(60_000)], ["POST"]);
  }),
  check("dispatch/prototype-names", {}, (api) => expectAllUnknown(api, INHERITED, ["GET", "POST", "HEAD"])),

  check("dispatch/no-echo", {}, async (api) => {
    const token = `zq${api.runId}echo`;
    const names = [
      ...[token, `user.${token}`, `user.list-${token}`, `docs.get.-${token}`, `<b>${token}</b>`],
      ...[`\r\nX: ${token}`, `${token}\u0000`, `${token}${"a".repeat(5_000)}`],
    ];
    for (const method of ["GET", "POST", "HEAD"])
      for (const accept of ["application/json", "text/html"])
        await inEach(names, async (name) => expectNoEcho(await api.call(name, { method, accept }), token));
  }),
];
