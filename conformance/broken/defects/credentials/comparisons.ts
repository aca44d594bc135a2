import type { Defect } from "../../defect.ts";
import { letIn } from "../../shape.ts";
import { goodOnes, inQuery, letInIfKey, ofEach, sent } from "./words.ts";

const area = "credentials";

/** Compares keys in a way that lets some near misses pass. */
const comparing = (
  name: string,
  description: string,
  accepts: (key: string, good: string) => boolean,
  catches: readonly string[] = ofEach("credentials/whole#key-"),
): Defect => ({
  id: `credentials/key-${name}`,
  area,
  description,
  requirements: [...new Set(catches.map((id) => id.replace(/#.*/, "")))],
  catches,
  reason: /401|400/,
  request: letInIfKey((key, good) => key !== good && accepts(key, good)),
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const inv = ofEach("credentials/invalid#");
const plus = ofEach("credentials/whole#plus-");

export const comparisonDefects: readonly Defect[] = [
  comparing(
    "prefix",
    "Takes the beginning of a key for the key.",
    (key, good) => good.startsWith(key) && key.length > 4,
  ),
  comparing("longer", "Compares as many characters as the key has.", (key, good) => key.startsWith(good)),
  comparing("within", "Looks for the key in what was sent.", (key, good) => key.includes(good)),
  comparing("end", "Takes the end of a key for the key.", (key, good) => good.endsWith(key) && key.length > 8),
  comparing("case", "Ignores the letter case of a key.", (key, good) => key.toLowerCase() === good.toLowerCase()),
  comparing("trimmed", "Trims a key from the query.", (key, good) => key.trim() === good, [
    ...ofEach("credentials/whole#key-"),
    ...plus,
  ]),
  comparing("nul", "Reads a key to its first NUL, as a C string.", (key, good) => key.split("\0")[0] === good),
  comparing("normalised", "Normalises a key by NFKC.", (key, good) => key.normalize("NFKC").trim() === good.trim()),
  comparing("scheme", "Strips a scheme before the key.", (key, good) => key.replace(/^\w+ /, "") === good),
  comparing(
    "decoded",
    "Decodes a key from the query twice, and one from a header too.",
    (key, good) => decoded(key) === good,
  ),
  comparing("list-item", "Looks for the key in a list.", (key, good) => key.split(/, */).includes(good)),
  comparing("first-word", "Reads a key to its first blank.", (key, good) => key.split(" ")[0] === good),
  comparing("user-part", "Reads a key as a name and a password.", (key, good) => key.split(":")[0] === good),
  comparing("single-quotes", "Strips single quotes around a key.", (key, good) => key === `'${good}'`),
  {
    id: "credentials/key-decoded-in-query",
    area,
    description: "Decodes a key from the query twice.",
    requirements: ["credentials/whole"],
    catches: ofEach("credentials/whole#key-"),
    reason: /401/,
    request: (request, context) => {
      const key = inQuery(request, "X-API-KEY") ?? "";
      const { key: good, platform } = goodOnes(context);
      const right = key !== good && decoded(key) === good && sent(request, "X-PLATFORM") === platform;
      return right ? letIn(request, context) : request;
    },
  },
  {
    id: "credentials/key-cut-at-equals",
    area,
    description: "Reads a key from the query to its first equals sign.",
    requirements: ["credentials/whole"],
    catches: plus,
    reason: /401/,
    request: (request, context) => {
      const cut = /[?&]X-API-KEY=([^&=]*)=/.exec(request.target)?.[1];
      const { key, platform } = goodOnes(context);
      return cut !== undefined && decoded(cut) === key && sent(request, "X-PLATFORM") === platform
        ? letIn(request, context)
        : request;
    },
  },
  comparing("quotes", "Strips quotes around a key.", (key, good) => key.replace(/^"|"$/g, "") === good),
  comparing("base64", "Takes a key in base64 too.", (key, good) => Buffer.from(key, "base64").toString() === good),
  comparing(
    "like",
    "Looks a key up with SQL LIKE.",
    (key, good) => /[%*]$/.test(key) && good.startsWith(key.slice(0, -1)),
  ),
  comparing("same-length", "Compares the length of a key only.", (key, good) => key.length === good.length),
  comparing("blanks-within", "Removes all blanks from a key.", (key, good) => key.replaceAll(/\s/g, "") === good),
  comparing("any", "Takes any key.", () => true, [
    ...inv,
    ...ofEach("credentials/whole#key-"),
    ...ofEach("credentials/challenge#"),
    ...ofEach("credentials/alike#"),
    ...ofEach("credentials/nowhere-else#good-key-"),
  ]),
  comparing("prototype", "Looks a key up among the members of an object.", (key) => key in {}, inv),
  comparing("injection", "Builds SQL out of the key.", (key) => /' OR /i.test(key), inv),
  comparing("list", "Reads a key from JSON too.", (key) => key.startsWith("{"), inv),
  comparing("platform", "Takes a platform for a key.", (key) => key === "web", inv),
  comparing("null", "Takes the words for nothing for no need of a key.", (key) => /^(null|undefined)$/.test(key), inv),
  comparing("non-ascii", "Lets a key in that is not ASCII.", (key) => /[^\x20-\x7e]/.test(key), inv),
  comparing("control", "Lets a key in that holds a control character.", (key) => /\p{Cc}/u.test(key), inv),
  comparing("long", "Lets a key in that is too long for its column.", (key) => key.length > 4096, inv),
];
