import type { Api } from "../../client/api.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { expectCreated, expectRefused, expectTaken } from "./users.ts";

const label = (length: number) => "a".repeat(length);

/** A domain of so many characters, no label longer than 63. */
function domain(length: number): string {
  if (length <= 63) return label(length);
  const first = Math.min(63, length - 2);
  return `${label(first)}.${domain(length - first - 1)}`;
}

const SPECIALS = "!#$%&'*+/=?^_`{|}~-.";

const RIGHT = [
  ...["a@b", "a@localhost", "1@2", "a@1.2.3.4", "a@b.c", "a@b.c.d.e.f.g", "A@B.C", "a@xn--bcher-kva.example"],
  ...["a+b@c.d", "+@b", "a-@b", "-a@b", "_@b", ".a@b", "a.@b", "a..b@c", "...@b", "!#$%&'*+/=?^_`{|}~-.@b", "a/b@c"],
  ...[
    "a@a-b",
    "a@a--b",
    "a@1a",
    "a@a1",
    "a@1-1",
    "a@b.c-d.e",
    `a@${label(63)}`,
    `a@b.${label(63)}.c`,
    "a@b.co",
    "a@b.museum",
  ],
  ...["0123456789@b", "abcdefghijklmnopqrstuvwxyz@b", "ABCDEFGHIJKLMNOPQRSTUVWXYZ@B"],
];

const WRONG = [
  ...["", " ", "a", "a.b", "@", "a@", "@b", "@a@b", "a@@b", "a@b@c", "a@b@", "a b@c", "a@b c", "a @b", "a@ b"],
  ...["\ta@b", "a@b\t", "a@b\n", "\na@b", "a@b\r\n", "a@b\u0000", "\u00a0a@b", "a@b\u3000", "a\u0000@b", "a@b\u200b"],
  ...["\u00e9@b", "a@\u00e9", "a@b\u00fccher.example", "\u{1f600}@b", "a\uff20b", "a@b\u3002c", "\u0430@b", "a@\u212a"],
  ...["\u212a@b", "\u017f@b", "a@\u017f", "\u0130@b", "\u0661@b", "a@\u0661", "a\n@b\nc"],
  // Nothing that takes long to refuse.
  ...["a".repeat(5000), `a@${"a-".repeat(2500)}`, `a@${"a.".repeat(2500)}`],
  ...["a@.b", "a@b.", "a@b..c", "a@.", "a@..", "a@b.c.", "a@-b", "a@b-", "a@b.-c", "a@b-.c", "a@b.c-", "a@-"],
  ...[
    `a@${label(64)}`,
    `a@b.${label(64)}`,
    `a@${label(64)}.c`,
    "a@b_c",
    "a@b!c",
    "a@b+c",
    "a@b/c",
    "a@b:25",
    "a@b,c",
    "a@b;c",
  ],
  ...[
    '"a"@b',
    '"a b"@c',
    '"a@b"@c',
    "a(b)@c",
    "a@(b)c",
    "<a@b>",
    "Ada <a@b>",
    "a,b@c",
    "a;b@c",
    "a:b@c",
    "a\\b@c",
    "a[b@c",
  ],
  ...[
    "a@[127.0.0.1]",
    "a@[IPv6:::1]",
    "mailto:a@b",
    "a@b, c@d",
    "a@b;c@d",
    "a@b c@d",
    "a%40b",
    "a@b?c=d",
    "a@b#c",
    "a@b%c",
  ],
];

async function expectEmailsRefused(api: Api, emails: readonly string[]): Promise<void> {
  for (const email of emails)
    await inCase(JSON.stringify(email).slice(0, 40), () => expectRefused(api, "email", { name: "Refused", email }));
}

/** What an e-mail address may be (D23). */
export const emails: readonly Check[] = [
  check("user.create/email-syntax#refused", { effect: "write" }, (api) => expectEmailsRefused(api, WRONG)),
  check("user.create/email-syntax#around-a-right-one", { effect: "write" }, async (api) => {
    const email = api.email();
    const spoiled = [
      " ~",
      "~ ",
      "~\n",
      "\n~",
      "~\u0000",
      "~.",
      "~,",
      "~;",
      "~>",
      "<~",
      "~@a",
      "a@~",
      '"~"',
      "mailto:~",
      "~\u00a0",
      "\ufeff~",
    ];
    await expectEmailsRefused(
      api,
      spoiled.map((text) => text.replace("~", email)),
    );
    await expectNotCreated(api, [email]);
    await expectCreated(api, { email });
  }),
  check("user.create/email-syntax#taken", {}, async (api) => {
    for (const email of RIGHT) await inCase(email, () => expectTaken(api, "email", email));
  }),
  check("user.create/email-length#local-part", { effect: "write" }, async (api) => {
    for (const length of [1, 63, 64]) await expectTaken(api, "email", `${label(length)}@example.com`);
    await expectEmailsRefused(
      api,
      [65, 66, 100, 200, 1000].map((length) => `${label(length)}@b`),
    );
    await expectEmailsRefused(api, [`${label(65)}@example.com`, `${label(65)}@${domain(188)}`]);
    await expectCreated(api, { email: api.email((local) => `${`${local}${SPECIALS}`.padEnd(64, "Z")}@example.com`) });
  }),
  check("user.create/email-length#whole", { effect: "write" }, async (api) => {
    for (const local of [1, 32, 64]) {
      for (const whole of [253, 254])
        await inCase(`${whole} characters`, () =>
          expectTaken(api, "email", `${label(local)}@${domain(whole - local - 1)}`),
        );
      await expectEmailsRefused(
        api,
        [255, 256, 257, 300, 1000].map((whole) => `${label(local)}@${domain(whole - local - 1)}`),
      );
    }
  }),
  check("user.create/email-length#254-created", { effect: "write" }, async (api) => {
    const ending = ".1-a.xn--bcher-kva.0.example.com";
    const rest = (local: string) => domain(254 - local.length - 1 - ending.length) + ending;
    await expectCreated(api, { email: api.email((local) => `${local}@${rest(local)}`) });
  }),
];
