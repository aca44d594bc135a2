import { every } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { namedIn } from "../../look.ts";
import { respondProblem, withHeader, withJson } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { ifKnown, knownOperation, renamed } from "./words.ts";

const area = "dispatch";

/** A server that takes some other names for those of operations. */
const tolerant = (
  id: string,
  description: string,
  groups: readonly string[],
  change: (name: string) => string,
): Defect => ({
  id: `dispatch/${id}`,
  area,
  description,
  requirements: ["dispatch/case-sensitive"],
  catches: groups.map((group) => `dispatch/case-sensitive#${group}`),
  reason: /404|operation-not-found/,
  request: (request) => renamed(request, ifKnown(change)),
});

const both = (...groups: readonly string[]) => groups.flatMap((group) => [group, `${group}-in-body`]);
const exact = every.filter(({ pattern }) => pattern === null).map(({ name }) => name);
const foundBy = (test: (known: string) => boolean, name: string) => exact.find(test) ?? name;

/** As SQL's LIKE, a glob and a regular expression do it. */
function patternMatch(name: string): string {
  const source = name
    .replace(/[.^$|()[\]{}\\]/g, "\\$&")
    .replace(/[?_]/g, ".")
    .replace(/[*%]/g, ".*");
  return foundBy((known) => new RegExp(`^${source}$`).test(known), name);
}

function decodedTwice(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export const nameDefects: readonly Defect[] = [
  tolerant("name-any-case", "Compares names without regard to letter case.", both("letter-case"), (name) =>
    foundBy((known) => known === name.toLowerCase(), name),
  ),
  tolerant("operation-trimmed", "Takes a name with white space around it.", both("blanks", "controls"), (name) =>
    name.trim(),
  ),
  tolerant("name-blanks-removed", "Takes a name with blanks in it.", both("blanks"), (name) =>
    name.replaceAll(" ", ""),
  ),
  tolerant("name-prefix", "Takes a name that begins with the name of an operation.", both("parts", "dots"), (name) =>
    foundBy((known) => name.startsWith(known), name),
  ),
  tolerant("name-suffix", "Takes a name that ends with the name of an operation.", both("parts", "dots"), (name) =>
    foundBy((known) => name.endsWith(known), name),
  ),
  tolerant("name-abbreviated", "Takes the beginning of a name.", both("parts"), (name) =>
    foundBy((known) => name !== "" && known.startsWith(name), name),
  ),
  tolerant("name-dots-cleaned", "Drops dots at the ends of a name, and repeated ones.", both("dots"), (name) =>
    name.replace(/\.+/g, ".").replace(/^\.|\.$/g, ""),
  ),
  tolerant("name-other-separators", "Takes `/`, `-` and `_` for the dot.", both("separators"), (name) =>
    name.replace(/[/_-]/g, "."),
  ),
  tolerant(
    "name-dot-is-any-character",
    "Compares by a regular expression whose dots are not escaped.",
    both("separators"),
    (name) => foundBy((known) => new RegExp(`^${known}$`).test(name), name),
  ),
  tolerant("name-list", "Takes the first name of a list.", both("lists"), (name) => name.split(/[,;|]/, 1)[0] ?? name),
  tolerant("name-unquoted", "Takes quotes off a name.", both("lists"), (name) => name.replace(/^["']|["']$/g, "")),
  tolerant("name-pattern", "Looks names up with a pattern match.", both("patterns"), patternMatch),
  tolerant("name-nul-ends", "Ends a name at NUL.", both("controls"), (name) => name.replace(/\0.*/s, "")),
  tolerant("name-normalized", "Normalizes names to NFKC.", both("lookalikes"), (name) => name.normalize("NFKC")),
  tolerant("name-invisible-dropped", "Drops invisible characters.", both("lookalikes"), (name) =>
    name.replace(/\u200b|\u202e|\ufe0f|\ufeff/g, ""),
  ),
  tolerant("name-decoded-twice", "Percent-decodes names once more.", both("encodings"), (name) =>
    decodedTwice(name).trim(),
  ),
  tolerant("template-with-extension", "Drops an extension from the name of a document.", ["templates"], (name) =>
    name.replace(/\.md$/, ""),
  ),
  {
    id: "dispatch/template-too-wide",
    area,
    description: "Takes every name that begins with `docs.get.` for a document's.",
    requirements: ["dispatch/case-sensitive"],
    catches: ["dispatch/case-sensitive#templates"],
    reason: /operation-not-found/,
    answer: problemsWith("operation-not-found", (answer, request) =>
      namedIn(request)?.startsWith("docs.get.")
        ? withHeader(
            withJson(answer, (body) => ({
              ...body,
              code: "document-not-found",
              type: "https://x.invalid/#document-not-found",
            })),
            "X-Operation",
            "docs.get",
          )
        : answer,
    ),
  },
  {
    id: "dispatch/percent-at-unknown",
    area,
    description: "Knows the parameter `%40` not as `@`.",
    requirements: ["dispatch/percent-encoded"],
    catches: ["dispatch/percent-encoded#name", "dispatch/percent-encoded#everywhere"],
    reason: /200/,
    request: (request) =>
      request.method !== "POST" && /[?&]%40=/.test(request.target) ? respondProblem(400, "operation-missing") : request,
  },
  {
    id: "dispatch/value-not-decoded",
    area,
    description: "Does not percent-decode the value of `@`.",
    requirements: ["dispatch/percent-encoded"],
    catches: ["dispatch/percent-encoded#value"],
    reason: /200/,
    request: (request) =>
      /[?&](@|%40)=[^&]*%/i.test(request.target) && knownOperation(request)
        ? respondProblem(404, "operation-not-found")
        : request,
  },
];
