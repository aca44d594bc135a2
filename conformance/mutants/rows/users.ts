import { operations } from "../../../generated/operations.ts";
import type { Aspect } from "../../client/expectation.ts";
import { fresh } from "../derived/input.ts";
import { answersOtherwise, changesAnswer, type Mutant, OUTCOME, takesFor, wild } from "../mutant.ts";
import { atPointer } from "../operators.ts";
import { header, isObject, jsonAnswer } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respond, respondProblem, withJson, withQuery, withStatus } from "../proxy/shape.ts";
import { called, inputOf, withInput } from "../requests.ts";
import { selector, successOf } from "../selectors.ts";

/** Broken users: what a name and an address may be, and what is shown of a user. */

type Text = (text: string) => boolean;
const points = (text: string) => [...text].length;
const local = (email: string) => email.slice(0, Math.max(0, email.lastIndexOf("@")));
const domain = (email: string) => email.slice(email.lastIndexOf("@") + 1);
const isRight: Text = (email) =>
  /^(?=.{1,254}$)(?=.{1,64}@)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i.test(
    email,
  );
const rightAs =
  (read: (email: string) => string): Text =>
  (email) =>
    !isRight(email) && isRight(read(email));

/** Texts that a member must not be, taken; those that it may be, refused. */
const taken: Readonly<Record<"name" | "email", Readonly<Record<string, Text>>>> = {
  name: {
    "of 200 graphemes": (name) =>
      points(name) > 200 && points(name) < 500 && [...new Intl.Segmenter().segment(name)].length <= 200,
    "with wide blanks around": (name) => /^[^\S \t-\r\ufeff]|[^\S \t-\r\ufeff]$/.test(name),
    "with U+FEFF around": (name) => /^\ufeff|\ufeff$/.test(name),
    "with controls of Latin-1": (name) => /[\u0080-\u009f]/.test(name),
    "with U+007F": (name) => name.includes("\u007f"),
    "with tabs and lines inside": (name) => /\S[\t\n\r]\S/.test(name),
    "with the last override": (name) => /\u202e/.test(name),
    "with isolates": (name) => /[\u2066-\u2069]/.test(name),
    "with high surrogates": (name) => /[\ud800-\udbff](?![\udc00-\udfff])/.test(name),
    "with low surrogates": (name) => /(?<![\ud800-\udbff])[\udc00-\udfff]/.test(name),
  },
  email: {
    "of any text": (email) => !isRight(email),
    "of blanks around": rightAs((email) => email.trim()),
    "of letters of any script": rightAs((email) => email.replace(/[\p{L}\p{M}]/gu, "a")),
    "as Unicode folds letters": rightAs((email) => email.replaceAll("\u212a", "k").replace(/\u017f(?=.*@)/g, "s")),
    "in quotes": (email) => /^"[^"]+"@[a-z]+$/.test(email),
    "at an IP address": (email) => /@\[.+\]$/.test(email),
    "with underscores in its domain": rightAs((email) => `${local(email)}@${domain(email).replaceAll("_", "a")}`),
    "with hyphens anywhere": rightAs((email) => email.replace(/-/g, "a")),
    "with empty labels": rightAs((email) => `${local(email)}@${domain(email).replaceAll(".", "a")}`),
    "with a final dot": rightAs((email) => email.replace(/\.$/, "")),
    "with long labels": rightAs((email) => email.replace(/(?<=[@.])[^.@]{64}/, "a")),
    "with a name": (email) => /^[\w ]*<[^<>]+@[^<>]+>$/.test(email),
    "of several": (email) => /[,; ]/.test(email) && email.split(/[,; ]+/).every(isRight),
    "with a comment": rightAs((email) => email.replace(/\([^)]*\)/g, "")),
    "of any number before the @": rightAs((email) => `${local(email).slice(0, 64)}@${domain(email)}`),
    "of any length": (email) => email.length > 254 && /^[a-z]{1,64}@[a-z.]+$/.test(email),
  },
};
const refused: typeof taken = {
  name: {
    "of more than 100": (name) => points(name) > 100,
    "with other blanks inside": (name) => /\S[^\S ]+\S/.test(name),
    "beyond the BMP": (name) => /[\u{10000}-\u{10ffff}]/u.test(name),
    "with format characters": (name) => /\p{Cf}/u.test(name),
    "of anything but letters": (name) => /[^\p{L}\p{M}\p{N}\p{Z}]/u.test(name),
    "in wider ranges": (name) => /[\u2027-\u2029\u2065\u206a-\u206f]/.test(name),
    "that say no value": (name) => /^(?:null|undefined|false|NaN|0)$/.test(name),
    "that look like attacks": (name) => /<script|union select|\.\.\//i.test(name),
  },
  email: {
    "without a dot": (email) => !domain(email).includes("."),
    "with other signs": (email) => /[^a-z\d.+-]/i.test(local(email)),
    "with dots at an end": (email) => /^\.|\.$|\.\./.test(local(email)),
    "in capitals": (email) => /[A-Z]/.test(email),
    "with a digit first": (email) => /(?:@|\.)\d/.test(`@${domain(email)}`),
    "with a long top level": (email) => !/\.[a-z]{2,4}$/.test(domain(email)),
    "with two hyphens": (email) => domain(email).includes("--"),
    "of 64 before the @": (email) => local(email).length === 64,
    "of 254": (email) => email.length === 254,
  },
};
const { id: creating, example } = operations["user.create"];
const members = ["name", "email"] as const;
type Member = (typeof members)[number];

/** The create with another text where this one is met. */
const instead = (request: ProxyRequest, member: Member, test: Text, text: unknown) => {
  const value = called(request)?.id === creating ? inputOf(request, member) : undefined;
  return typeof value === "string" && test(value) ? withInput(request, member, text) : request;
};
const judged = members.flatMap((member) => [
  ...Object.entries(taken[member]).map(([what, test]) =>
    takesFor(`${creating} takes ${member}s ${what}`, (request) =>
      instead(request, member, test, fresh(example[member])),
    ),
  ),
  ...Object.entries(refused[member]).map(([what, test]) =>
    takesFor(`${creating} refuses ${member}s ${what}`, (request) => instead(request, member, test, ""), OUTCOME),
  ),
]);

/** A user as the answer to its creation has it. */
const shown = (what: string, member: string, change: (value: string) => string, breaks: readonly Aspect[] = []) =>
  changesAnswer(
    successOf(operations["user.create"], 201),
    atPointer(what, `/${member}`, (value) => change(String(value)), [`body:/${member}`, "state", ...breaks]),
  );
const timed = (what: string, change: (time: number) => number) =>
  shown(what, "createdAt", (time) => new Date(change(Date.parse(time))).toISOString());
const HOUR = 3_600_000;

/** Addresses that differ, taken for one by what is left of them. */
const alike = Object.entries({
  "without their dots": (email: string) => `${local(email).replaceAll(".", "")}@${domain(email)}`,
  "up to a plus": (email: string) => email.replace(/\+.*(?=@)/, ""),
  "by their letters": (email: string) => email.replace(/[^a-z\d@]/g, ""),
  "up to the first label": (email: string) => email.replace(/(@[^.]*)\..*$/, "$1"),
  "by their first 64 characters": (email: string) => email.slice(0, 64),
}).map(([how, read]) =>
  wild(`${creating} tells addresses apart ${how}`, [`${creating}/*`], ["status", "state"], {
    answer: (answer, request, { state }) => {
      const email = String(called(request)?.id === creating ? inputOf(request, "email") : "").toLowerCase();
      if (answer.status !== 201) return answer;
      const before = state.get(read(email)) ?? email;
      state.set(read(email), before);
      return before === email ? answer : respondProblem(409, "email-taken");
    },
  }),
);

/** A member of the users that are listed, cut. */
const listed = operations["user.list"];
const cuts = Object.entries({
  "200 code units": (name: string) => name.slice(0, 200),
  "255 bytes": (name: string) => Buffer.from(name).subarray(0, 255).toString(),
  "100 code points": (name: string) => [...name].slice(0, 100).join(""),
}).map(([most, cut]) =>
  changesAnswer(
    successOf(listed, 200),
    atPointer(
      `cuts names at ${most} in`,
      "/items/*",
      (user) => isObject(user) && { ...user, name: cut(`${user.name}`) },
      ["body", "state"],
    ),
  ),
);

/** What a caller would rather have (RFC 7240), where the contract leaves no choice. */
const preferred = Object.entries({ minimal: 204, async: 202 }).map(([preference, status]) =>
  answersOtherwise(
    selector("user.create 201 to Prefer", ({ status: was }, request) => {
      return was === 201 && header(request, "Prefer")?.includes(preference) === true;
    }),
    `is ${status}`,
    ["status"],
    (answer) => ({ ...withStatus(answer, status), body: Buffer.alloc(0) }),
  ),
);

/** Lists without an end: behind the last user there is another page, and another. */
const ENDLESS = /^behind-/;
const endless = Object.entries({
  "goes on without anybody": (_target: ProxyRequest) => respond(200, { items: [] }),
  "begins again behind its end": (request: ProxyRequest) => withQuery(request, (query) => query.delete("cursor")),
}).map(([what, answer]) =>
  wild(`${listed.id} ${what}`, [`${listed.id}/*`], ["body"], {
    request: (request) =>
      called(request)?.id === listed.id && ENDLESS.test(String(inputOf(request, "cursor"))) ? answer(request) : request,
    answer: (right, request, { random }) =>
      called(request)?.id === listed.id && right.status === 200 && jsonAnswer(right)?.nextCursor === undefined
        ? withJson(right, (page) => ({ ...page, nextCursor: `behind-${random()}` }))
        : right,
  }),
);

export const mutants: readonly Mutant[] = [
  ...judged,
  takesFor(`${creating} trims names of signs without width`, (request) => {
    const name = called(request)?.id === creating ? inputOf(request, "name") : undefined;
    const trimmed = typeof name === "string" ? name.replace(/^\p{Cf}+|\p{Cf}+$/gu, "") : name;
    return trimmed === name || trimmed === "" ? request : withInput(request, "name", trimmed);
  }),
  ...alike,
  ...cuts,
  ...preferred,
  ...endless,
  shown("is the same for all in", "id", () => "01a1fda2-cb9b-7486-b404-412e6264e244"),
  shown("has nothing of chance in", "id", (id) => `${id.slice(0, 19)}8000-000000000001`),
  shown("is of another variant in", "id", (id) => `${id.slice(0, 19)}c${id.slice(20)}`),
  shown("is of version 4 in", "id", (id) => `${id.slice(0, 14)}4${id.slice(15)}`),
  shown("has another time in", "id", (id) => `11${id.slice(2)}`),
  timed("is local in", (time) => time + 2 * HOUR),
  timed("is in seconds in", (time) => time / 1000),
  timed("is the day in", (time) => time - (time % (24 * HOUR)) - HOUR),
  timed("is that of the start in", (time) => time - 10 * 60_000),
];
