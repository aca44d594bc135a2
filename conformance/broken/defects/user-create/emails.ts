import type { Defect } from "../../defect.ts";
import { changing, refusing, taking } from "./words.ts";

const area = "e-mail addresses";
const syntax = {
  area,
  requirements: ["user.create/email-syntax"],
  catches: ["user.create/email-syntax#refused"],
  reason: /422|taken/,
};
const taken = { ...syntax, catches: ["user.create/email-syntax#taken"] };
const length = { area, requirements: ["user.create/email-length"], reason: /422|taken|201/ };
const lengths = (...variants: readonly string[]) => variants.map((variant) => `user.create/email-length#${variant}`);

const [RIGHT] = [
  /^(?=.{1,64}@)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i,
];
const local = (email: string) => email.slice(0, Math.max(0, email.lastIndexOf("@")));
const domain = (email: string) => email.slice(email.lastIndexOf("@") + 1);

/** Takes what this allows, and what is right anyway. */
const allowing = (test: (email: string) => boolean) => taking("email", (email) => test(email) && !RIGHT.test(email));

export const emailDefects: readonly Defect[] = [
  {
    ...syntax,
    id: "emails/not-judged",
    description: "Takes any text for an e-mail address.",
    catches: ["user.create/email-syntax#refused", "user.create/email-syntax#around-a-right-one"],
    ...allowing(() => true),
  },
  {
    ...syntax,
    id: "emails/at-only",
    description: "Wants an @ and nothing else.",
    catches: ["user.create/email-syntax#refused", "user.create/email-syntax#around-a-right-one"],
    ...allowing((email) => email.includes("@")),
  },
  {
    ...syntax,
    id: "emails/trimmed",
    description: "Strips white space around an e-mail address.",
    catches: ["user.create/email-syntax#refused", "user.create/email-syntax#around-a-right-one"],
    ...allowing((email) => RIGHT.test(email.trim())),
  },
  {
    ...syntax,
    id: "emails/not-anchored",
    description: "Looks for an e-mail address anywhere in the text.",
    catches: ["user.create/email-syntax#refused", "user.create/email-syntax#around-a-right-one"],
    ...allowing((email) => new RegExp(RIGHT.source.slice(1, -1), "i").test(email)),
  },
  {
    ...syntax,
    id: "emails/line-end",
    description: "Lets a line break follow, as `$` does in some languages.",
    catches: ["user.create/email-syntax#refused", "user.create/email-syntax#around-a-right-one"],
    ...allowing((email) => RIGHT.test(email.replace(/\n$/, ""))),
  },
  {
    ...syntax,
    id: "emails/international",
    description: "Takes letters of every script.",
    ...allowing((email) => RIGHT.test(email.replace(/[\p{L}\p{M}]/gu, "a"))),
  },
  {
    ...syntax,
    id: "emails/case-folded",
    description: "Compares with Unicode's case folding, where the Kelvin sign is a k.",
    ...allowing((email) => RIGHT.test(email.replaceAll("\u212a", "k"))),
  },
  {
    ...syntax,
    id: "emails/long-s",
    description: "Ignores letter case by Unicode, where \u017f is an s and the Kelvin sign a k, before the @.",
    ...allowing((email) => RIGHT.test(email.replace(/[\u017f\u212a](?=.*@)/g, "s"))),
  },
  {
    ...syntax,
    id: "emails/quoted",
    description: "Takes quoted local parts.",
    ...allowing((email) => /^"[^"]+"@[a-z]+$/.test(email)),
  },
  {
    ...syntax,
    id: "emails/addresses-for-domains",
    description: "Takes IP addresses in brackets.",
    ...allowing((email) => /@\[.+\]$/.test(email)),
  },
  {
    ...syntax,
    id: "emails/underscores",
    description: "Takes underscores in a domain.",
    ...allowing((email) => RIGHT.test(email.replaceAll("_", "a"))),
  },
  {
    ...syntax,
    id: "emails/hyphens-anywhere",
    description: "Takes hyphens at the ends of labels.",
    ...allowing((email) => RIGHT.test(email.replace(/-/g, "a"))),
  },
  {
    ...syntax,
    id: "emails/dots-anywhere",
    description: "Takes empty labels.",
    ...allowing((email) => RIGHT.test(`${local(email)}@${domain(email).replaceAll(".", "a")}`)),
  },
  {
    ...syntax,
    id: "emails/final-dot",
    description: "Takes a dot behind the domain.",
    ...allowing((email) => RIGHT.test(email.replace(/\.$/, ""))),
  },
  {
    ...syntax,
    id: "emails/long-labels",
    description: "Takes labels of 64 characters.",
    ...allowing((email) => RIGHT.test(email.replace(/a{64}/, "a"))),
  },
  {
    ...syntax,
    id: "emails/named",
    description: "Takes a name before the address.",
    ...allowing((email) => /^[\w ]*<[^<>]+@[^<>]+>$/.test(email)),
  },
  {
    ...syntax,
    id: "emails/several",
    description: "Takes several addresses.",
    ...allowing((email) => email.split(/[,; ]+/).every((each) => RIGHT.test(each))),
  },
  {
    ...syntax,
    id: "emails/comments",
    description: "Takes comments.",
    ...allowing((email) => RIGHT.test(email.replace(/\([^)]*\)/g, ""))),
  },
  {
    ...syntax,
    id: "emails/as-400",
    description: "Answers 400 to what is no e-mail address.",
    catches: ["user.create/email-syntax#refused", "user.create/email-syntax#around-a-right-one"],
    ...changing("email", (email) => email),
    answer: (answer, request) =>
      answer.status === 422 && /"email":"[^"]*[^"a-z][^"]*"/.test(request.body.toString())
        ? { ...answer, status: 400 }
        : answer,
  },
  {
    ...taken,
    id: "emails/dot-needed",
    description: "Wants a dot in the domain.",
    ...refusing("email", (email) => !domain(email).includes(".")),
  },
  {
    ...taken,
    id: "emails/no-plus",
    description: "Refuses a plus sign.",
    ...refusing("email", (email) => email.includes("+")),
  },
  {
    ...taken,
    id: "emails/letters-only",
    description: "Takes letters, digits, dots, plus signs and hyphens before the @ only.",
    ...refusing("email", (email) => /[^a-z\d.+-]/i.test(local(email))),
  },
  {
    ...taken,
    id: "emails/dots-judged",
    description: "Refuses dots at the ends of the local part, as RFC 5322 does.",
    ...refusing("email", (email) => /^\.|\.$|\.\./.test(local(email))),
  },
  {
    ...taken,
    id: "emails/small-letters-only",
    description: "Refuses capital letters.",
    ...refusing("email", (email) => /[A-Z]/.test(email)),
  },
  {
    ...taken,
    id: "emails/letters-first",
    description: "Wants labels to begin with a letter.",
    ...refusing("email", (email) => /(?:@|\.)\d/.test(`@${domain(email)}`)),
  },
  {
    ...taken,
    id: "emails/short-top-level",
    description: "Wants two to four letters behind the last dot.",
    ...refusing("email", (email) => !/\.[a-z]{2,4}$/.test(domain(email))),
  },
  {
    ...taken,
    id: "emails/no-double-hyphens",
    description: "Refuses two hyphens in a row.",
    ...refusing("email", (email) => domain(email).includes("--")),
  },
  {
    ...length,
    id: "emails/local-part-65",
    description: "Takes 65 characters before the @.",
    catches: lengths("local-part"),
    ...taking("email", (email) => local(email).length === 65),
  },
  {
    ...length,
    id: "emails/local-part-unlimited",
    description: "Takes any number of characters before the @.",
    catches: lengths("local-part"),
    ...changing("email", (email) => `${local(email).slice(0, 64)}@${domain(email)}`),
  },
  {
    ...length,
    id: "emails/local-part-63",
    description: "Refuses 64 characters before the @.",
    catches: lengths("local-part"),
    ...refusing("email", (email) => local(email).length === 64),
  },
  {
    ...length,
    id: "emails/whole-255",
    description: "Takes e-mail addresses of 255 characters.",
    catches: lengths("whole"),
    ...taking("email", (email) => email.length === 255),
  },
  {
    ...length,
    id: "emails/whole-unlimited",
    description: "Takes e-mail addresses of any length.",
    catches: lengths("whole"),
    ...taking("email", (email) => email.length > 254 && RIGHT.test(email)),
  },
  {
    ...length,
    id: "emails/whole-253",
    description: "Refuses e-mail addresses of 254 characters.",
    catches: lengths("whole", "254-created"),
    ...refusing("email", (email) => email.length === 254),
  },
  {
    ...length,
    id: "emails/whole-100",
    description: "Refuses e-mail addresses of more than 100 characters.",
    catches: lengths("whole", "254-created"),
    ...refusing("email", (email) => email.length > 100),
  },
];
