import { caught } from "../../caught.ts";
import type { Defect, ProxyRequest } from "../../defect.ts";
import { namedIn, problemCode, queryOf } from "../../look.ts";
import { respond, respondProblem, withQuery } from "../../shape.ts";
import { entryOf, nameRequest, PATTERN } from "./hooks.ts";

const outside = (...variants: readonly string[]) => variants.map((variant) => `docs.get/name-pattern#${variant}`);

const isOutside = (request: ProxyRequest) => {
  const name = namedIn(request);
  return name?.startsWith("docs.get.") === true && !PATTERN.test(name.slice("docs.get.".length));
};

/** Answers names outside the pattern in another way. */
const onOutside = (
  change: NonNullable<Defect["answer"]>,
  where: (name: string) => boolean = () => true,
): Required<Pick<Defect, "answer">> => ({
  answer: (answer, request, context) =>
    isOutside(request) && where(entryOf(request)) ? change(answer, request, context) : answer,
});

const notThere = () => respondProblem(404, "document-not-found");
const cleaned = (id: string, description: string, variants: readonly string[], change: (name: string) => string) =>
  caught(`docs.get/${id}`, description, outside(...variants), /404/, nameRequest(change));

export const nameDefects: readonly Defect[] = [
  cleaned(
    "last-part-of-the-path",
    "Takes the last part of a path as the name.",
    ["paths", "escaped-paths"],
    (name) => name.split(/[/\\]/).at(-1) ?? name,
  ),
  cleaned("dots-taken-out", "Takes `../` out of a name and goes on.", ["paths", "escaped-paths"], (name) =>
    name.replaceAll("../", ""),
  ),
  cleaned("decoded-twice", "Decodes names twice and takes paths for names.", ["escaped-paths"], (name) => {
    const again = /%[0-9a-f]{2}/i.test(name) ? decodeURIComponent(name.replace(/%(?![0-9a-f]{2})/gi, "%25")) : name;
    return again === name ? name : (again.split("/").at(-1) ?? name);
  }),
  cleaned("trailing-slash", "Takes a slash at the end of a name.", ["paths"], (name) => name.replace(/\/$/, "")),
  cleaned("file-ending", "Takes README.md for README.", ["file-names"], (name) => name.replace(/\.md$/, "")),
  cleaned("ends-at-nul", "Takes a name up to a NUL.", ["file-names"], (name) => name.replace(/\0.*$/s, "")),
  cleaned("trimmed", "Trims names.", ["blanks"], (name) => name.trim()),
  cleaned("line-end", "Takes a name with a line end behind it.", ["blanks"], (name) => name.replace(/\n$/, "")),
  cleaned("blanks-taken-out", "Takes blanks out of names.", ["blanks"], (name) => name.replaceAll(" ", "")),
  cleaned("normalised", "Normalises names: full-width letters are letters.", ["letters"], (name) =>
    name.normalize("NFKC"),
  ),
  cleaned("accents-taken-out", "Takes accents off letters.", ["letters"], (name) =>
    name.normalize("NFD").replace(/[\u0300-\u036f\u200b]/g, ""),
  ),
  cleaned(
    "first-of-a-list",
    "Takes the first name of a list.",
    ["characters"],
    (name) => name.split(/[,;]/)[0] ?? name,
  ),
  cleaned("wild-cards", "Takes `*` for any name.", ["characters"], (name) => (name.endsWith("*") ? "README" : name)),
  cleaned("slugged", "Takes all that is no letter off the beginning of a name.", ["first-character"], (name) =>
    name.replace(/^[-_.]+(?=R)/, ""),
  ),
  cleaned("readme-by-default", "Answers README without a name.", ["empty"], (name) => name || "README"),
  cleaned("cut-to-length", "Cuts long names off.", ["too-long"], (name) =>
    name.length > 64 && name.startsWith("README") ? "README" : name,
  ),
  caught(
    "docs.get/65-characters",
    "Takes names of 65 characters.",
    outside("too-long"),
    /operation-not-found/,
    onOutside(notThere, (name) => /^\w{65}$/.test(name)),
  ),
  caught(
    "docs.get/any-length",
    "Takes names of any length.",
    outside("too-long"),
    /operation-not-found/,
    onOutside(notThere, (name) => name.length > 64),
  ),
  caught(
    "docs.get/first-character",
    "Takes - and _ in front of a name.",
    outside("first-character"),
    /operation-not-found/,
    onOutside(notThere, (name) => /^[-_]/.test(name)),
  ),
  caught(
    "docs.get/dots-in-names",
    "Takes dots in names.",
    outside("file-names"),
    /operation-not-found/,
    onOutside(notThere, (name) => /^[\w.]+$/.test(name)),
  ),
  caught(
    "docs.get/any-letters",
    "Takes letters of any script.",
    outside("letters"),
    /operation-not-found/,
    onOutside(notThere, (name) => /^\p{L}+$/u.test(name)),
  ),
  caught(
    "docs.get/any-name",
    "Calls any name that is no entry's a document that is not there.",
    outside(
      "paths",
      "escaped-paths",
      "file-names",
      "first-character",
      "characters",
      "blanks",
      "letters",
      "too-long",
      "empty",
    ),
    /operation-not-found/,
    onOutside(notThere),
  ),
  caught(
    "docs.get/400-for-paths",
    "Answers 400 to paths.",
    outside("paths", "escaped-paths"),
    /404/,
    onOutside(
      () => respondProblem(400, "malformed-request"),
      (name) => /[/\\]/.test(name),
    ),
  ),
  caught(
    "docs.get/500-for-paths",
    "Fails on paths.",
    outside("paths"),
    /404/,
    onOutside(
      () => respondProblem(500, "internal-error"),
      (name) => name.includes("/"),
    ),
  ),
  caught(
    "docs.get/reads-files",
    "Reads any file of the machine.",
    outside("paths"),
    /404/,
    onOutside(
      () => respond(200, { content: "root:x:0:0:root:/root:/bin/bash" }),
      (name) => name.endsWith("etc/passwd"),
    ),
  ),
  caught(
    "docs.get/reads-its-own-files",
    "Reads any file of the project.",
    outside("file-names"),
    /404/,
    onOutside(
      () => respond(200, { name: "atpoint" }),
      (name) => name === "package.json" || name === ".env",
    ),
  ),
  caught("docs.get/list-for-no-name", "Answers the list to docs.get. without a name.", outside("empty"), /404/, {
    answer: (answer, request, { forward }) =>
      queryOf(request).get("@") === "docs.get." && problemCode(answer)
        ? forward(withQuery(request, (query) => query.set("@", "docs.list")))
        : answer,
  }),
];
