import type { Defect } from "../../defect.ts";
import type { JsonObject } from "../../look.ts";
import { changing, listing, storing } from "./words.ts";

const asSent = { area: "user.create", requirements: ["user.create/as-sent"], reason: /as sent|in the list too/ };
const caught = (...variants: readonly string[]) => variants.map((variant) => `user.create/as-sent#${variant}`);

const named = (change: (name: string) => string) => (user: JsonObject) =>
  typeof user.name === "string" ? { ...user, name: change(user.name) } : user;
const mailed = (change: (email: string) => string) => (user: JsonObject) =>
  typeof user.email === "string" ? { ...user, email: change(user.email) } : user;

export const asSentDefects: readonly Defect[] = [
  {
    ...asSent,
    id: "user.create/normalized",
    description: "Stores names in normal form C.",
    catches: caught("unicode"),
    ...changing("name", (name) => name.normalize("NFC")),
  },
  {
    ...asSent,
    id: "user.create/normalized-decomposed",
    description: "Answers names in normal form D.",
    catches: caught("unicode"),
    ...storing(named((name) => name.normalize("NFD"))),
  },
  {
    ...asSent,
    id: "user.create/escaped",
    description: "Escapes markup in names.",
    catches: caught("markup"),
    ...changing("name", (name) => name.replaceAll("&", "&amp;").replaceAll("<", "&lt;")),
  },
  {
    ...asSent,
    id: "user.create/unescaped",
    description: "Decodes percent-escapes in names.",
    catches: caught("markup"),
    ...storing(named((name) => name.replace(/%41/g, "A"))),
  },
  {
    ...asSent,
    id: "user.create/markup-stripped",
    description: "Strips tags from names.",
    catches: caught("markup"),
    ...changing("name", (name) => name.replace(/<[^>]*>/g, "")),
  },
  {
    ...asSent,
    id: "user.create/quotes-doubled",
    description: "Doubles quotes, as SQL wants them.",
    catches: caught("markup"),
    ...changing("name", (name) => name.replaceAll("'", "''").slice(0, 200)),
  },
  {
    ...asSent,
    id: "user.create/blanks-collapsed",
    description: "Makes one blank of several.",
    catches: caught("blanks"),
    ...changing("name", (name) => name.replace(/\s+/g, " ")),
  },
  {
    ...asSent,
    id: "user.create/capitalized",
    description: "Begins every name with a capital letter.",
    catches: caught("blanks"),
    ...changing("name", (name) => name.replace(/^./u, (letter) => letter.toUpperCase())),
  },
  {
    ...asSent,
    id: "user.create/invisible-stripped",
    description: "Strips zero-width characters.",
    catches: caught("unicode", "blanks"),
    ...changing("name", (name) => name.replace(/\u00ad|[\u200b-\u200f]|\ufe0f|\ufeff/g, "").trim()),
  },
  {
    ...asSent,
    id: "user.create/beyond-bmp-replaced",
    description: "Lists question marks for characters of four bytes.",
    catches: caught("unicode"),
    ...listing((users) => users.map(named((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, "?")))),
  },
  {
    ...asSent,
    id: "user.create/cut",
    description: "Cuts names after 64 characters.",
    requirements: ["user.create/as-sent", "user.create/name-length"],
    catches: [...caught("markup"), "user.create/name-length#200-code-points"],
    ...storing(named((name) => [...name].slice(0, 64).join("").trim())),
  },
  {
    ...asSent,
    id: "user.create/email-lowered",
    description: "Stores e-mail addresses in small letters.",
    catches: caught("email-letter-case"),
    ...storing(mailed((email) => email.toLowerCase())),
  },
  {
    ...asSent,
    id: "user.create/domain-lowered",
    description: "Stores the domains of e-mail addresses in small letters.",
    catches: caught("email-letter-case"),
    ...storing(mailed((email) => email.replace(/@.*/, (domain) => domain.toLowerCase()))),
  },
  {
    ...asSent,
    id: "user.create/email-listed-lowered",
    description: "Lists e-mail addresses in small letters.",
    catches: caught("email-letter-case"),
    ...listing((users) => users.map(mailed((email) => email.toLowerCase()))),
  },
  {
    ...asSent,
    id: "user.create/name-as-number",
    description: "Lists a name of digits as the number that it spells.",
    catches: caught("email-letter-case"),
    ...listing((users) => users.map(named((name) => (/^\d+$/.test(name) ? String(Number(name)) : name)))),
  },
];
