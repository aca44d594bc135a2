import type { Api } from "../../client/api.ts";
import { expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { commands, every, type Known, nameOf, operationCalled, queries, queryOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { expectReached, expectUnknown, inCase, reach, shown } from "../probe.ts";

/** How a name is compared (D1): exactly. */

type Spellings = (name: string) => readonly string[];

const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Cyrillic, Greek and full-width letters that look like the Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: "\u0430",
  e: "\u0435",
  o: "\u043e",
  s: "\u0455",
  i: "\u0456",
  c: "\u0441",
};
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0));

/** Names that are nearly the name of an operation, by the mistake that would take them for it. */
const spellings: Readonly<Record<string, Spellings>> = {
  "letter-case": (name) => [
    name.toUpperCase(),
    name.toLowerCase(),
    title(name),
    name.split(".").map(title).join("."),
    name.slice(0, -1) + name.slice(-1).toUpperCase(),
  ],
  blanks: (name) => [
    ` ${name}`,
    `${name} `,
    ` ${name} `,
    `\t${name}`,
    `${name}\t`,
    `${name}\u00a0`,
    name.replace(".", " . "),
    name.replace(".", " "),
  ],
  parts: (name) =>
    [
      name.slice(0, -1),
      name.slice(1),
      `${name}x`,
      `x${name}`,
      `${name}${name}`,
      `${name}.${name}`,
      ...name.split(".").slice(0, name.includes(".") ? undefined : 0),
      name.split(".").reverse().join("."),
    ].filter((each) => each !== name && each !== ""),
  dots: (name) => [
    `${name}.`,
    `.${name}`,
    `${name}..`,
    name.replace(".", ".."),
    `${name}.x`,
    `x.${name}`,
    `${name}.json`,
    `./${name}`,
    `/${name}`,
    `${name}/`,
  ],
  separators: (name) =>
    ["", "/", "-", "_", ":", "x", "\\", "\u2024"].flatMap((mark) =>
      name.includes(".") ? [name.replaceAll(".", mark)] : [],
    ),
  lists: (name) => [
    `${name},sysinfo`,
    `sysinfo,${name}`,
    `${name};sysinfo`,
    `${name}|sysinfo`,
    `["${name}"]`,
    `"${name}"`,
    `'${name}'`,
  ],
  patterns: (name) => [
    `${name.slice(0, -1)}?`,
    `${name.slice(0, -1)}_`,
    `${name.slice(0, -1)}%`,
    `${name.slice(0, 3)}*`,
    `^${name}$`,
    `(${name})`,
    `/${name}/`,
    ".*",
    "*",
  ],
  controls: (name) => [
    `${name}\u0000`,
    `\u0000${name}`,
    `${name}\u0000x`,
    `${name}\n`,
    `${name}\r\n`,
    `\n${name}`,
    `${name}\u001f`,
    `${name}\u007f`,
    `${name}\u0085`,
  ],
  lookalikes: (name) => [
    fullWidth(name),
    name.replace(/[aeosic]/, (letter) => LOOKALIKES[letter] ?? letter),
    `${name}\u200b`,
    `\ufeff${name}`,
    `${name}\u0301`,
    `\u202e${name}`,
    `${name}\ufe0f`,
  ],
  encodings: (name) => [
    encodeURIComponent(name).replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    `${name}%20`,
    `${name}%00`,
    `${name}+`,
    `&#x75;${name.slice(1)}`,
    `\\u0075${name.slice(1)}`,
  ],
};

/** Sends a name in the style of the operation that it nearly is; with input that this operation would take. */
async function expectNotTaken(api: Api, operation: Known, name: string): Promise<void> {
  const reply =
    operation.method === "POST"
      ? await api.call(name, { method: "POST", input: api.example(operation.id) })
      : await api.call("", { rawQuery: `@=${encodeURIComponent(name).replaceAll("'", "%27")}` });
  await inCase(`${operation.method} of the name ${shown(name)}`, () => expectUnknown(reply));
}

async function expectExact(api: Api, operations: readonly Known[], spell: Spellings): Promise<void> {
  for (const operation of operations) {
    for (const spelling of new Set(spell(nameOf(operation)))) {
      // `docs.get.readme` is a name that an operation has, though not one of a document.
      if (operationCalled(spelling) === null) await expectNotTaken(api, operation, spelling);
    }
    expectReached(await reach(api, operation), operation);
  }
}

/** Names around a template: nothing, several parts, and what the part does not allow. */
const besideTemplates = (prefix: string) => [
  prefix,
  prefix.slice(0, -1),
  `${prefix}a.b`,
  `${prefix}README.md`,
  `${prefix}README.`,
  `${prefix}.README`,
  `${prefix}-a`,
  `${prefix}_a`,
  `${prefix}a b`,
  `${prefix}a/b`,
  `${prefix}../README`,
  `${prefix}README\n`,
  `${prefix}README\u0000`,
  `${prefix}\u00e9`,
  `${prefix}*`,
  `${prefix}{name}`,
  `${prefix}%2e%2e`,
  `${prefix}${"a".repeat(65)}`,
];

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

export const names = [
  ...Object.entries(spellings).flatMap(([mistake, spell]) => [
    check(`dispatch/case-sensitive#${mistake}`, {}, (api) => expectExact(api, queries, spell)),
    check(`dispatch/case-sensitive#${mistake}-in-body`, { effect: "write" }, (api) =>
      expectExact(api, commands, spell),
    ),
  ]),
  check("dispatch/case-sensitive#by-another-method", {}, async (api) => {
    for (const operation of every) {
      const name = nameOf(operation);
      const nearly = Object.values(spellings).flatMap((spell) =>
        spell(name)
          .filter((each) => operationCalled(each) === null)
          .slice(0, 1),
      );
      const other = operation.method === "GET" ? "POST" : "GET";
      for (const spelling of new Set(nearly)) {
        const head = await api.call(spelling, { method: "HEAD" });
        await inCase(`HEAD of the name ${shown(spelling)}`, () => expectStatus(head, 404));
        const reply = await api.call(spelling, { method: other });
        await inCase(`${other} of the name ${shown(spelling)}`, () => expectUnknown(reply));
      }
    }
  }),
  check("dispatch/case-sensitive#templates", {}, async (api) => {
    for (const operation of queries.filter(({ parts }) => parts.length > 0)) {
      const prefix = operation.name.slice(0, operation.name.indexOf("{"));
      for (const name of besideTemplates(prefix)) await expectNotTaken(api, operation, name);
      expectReached(await reach(api, operation), operation);
    }
  }),

  check("dispatch/percent-encoded#name", {}, async (api) => {
    for (const operation of queries) {
      for (const at of ["@", "%40"] as const) {
        const reply = await reach(api, operation, { at });
        await inCase(`?${at}=${nameOf(operation)}`, () => expectReached(reply, operation));
      }
    }
  }),
  check("dispatch/percent-encoded#everywhere", {}, async (api) => {
    const { status } = await api.call("sysinfo", { method: "HEAD", at: "%40" });
    if (status !== 200) fail("status", "status 200 to HEAD with %40", String(status));
    for (const operation of commands) {
      const reply = await api.call(nameOf(operation), { method: "GET", at: "%40" });
      expectProblem(reply, 405, "method-not-allowed", operation.id);
      expectStatus(await api.call(nameOf(operation), { method: "HEAD", at: "%40" }), 405);
    }
    for (const rawQuery of ["%40=", "%40"]) {
      await inCase(`?${rawQuery}`, async () =>
        expectProblem(await api.call("", { rawQuery }), 400, "operation-missing"),
      );
    }
    expectUnknown(await api.call("no.such.operation", { at: "%40" }));
  }),
  check("dispatch/percent-encoded#value", {}, async (api) => {
    for (const operation of queries) {
      const [name = "", ...members] = queryOf(operation, api.required(operation.id)).slice("@=".length).split("&");
      const value = percent(name);
      const more = members.map((member) => `&${member}`).join("");
      for (const query of [`@=${value}${more}`, `%40=${value.toUpperCase()}${more}`]) {
        const reply = await reach(api, operation, { rawQuery: query });
        await inCase(`?${query}`, () => expectReached(reply, operation));
      }
    }
    expectStatus(await api.call("user.list", { rawQuery: `@=user.list&${percent("limit")}=${percent("1")}` }), 200);
  }),
];
