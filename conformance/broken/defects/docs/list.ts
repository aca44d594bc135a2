import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header, isObject, type JsonObject } from "../../look.ts";
import { respond, respondProblem, withJson } from "../../shape.ts";
import { answerOf } from "../../when.ts";

const listed = (change: (items: readonly JsonObject[]) => readonly unknown[]): Required<Pick<Defect, "answer">> => ({
  answer: answerOf("docs.list", (answer) =>
    withJson(answer, (json) => ({
      ...json,
      items: change(Array.isArray(json.items) ? json.items.filter(isObject) : []),
    })),
  ),
});
const each = (change: (item: JsonObject) => JsonObject) => listed((items) => items.map(change));
const size = ({ size }: JsonObject) => (typeof size === "number" ? size : 0);

export const listDefects: readonly Defect[] = [
  caught("docs.list/needs-a-key", "Refuses the list without a key.", ["docs.list/public"], /200/, {
    answer: answerOf("docs.list", (answer, request) =>
      header(request, "X-API-KEY") ? answer : respondProblem(401, "credentials-missing"),
    ),
  }),
  caught(
    "docs.list/shows-the-file",
    "Lists the file of each entry as well.",
    ["docs.list/items"],
    /additional/,
    each((item) => ({ ...item, file: "README.md" })),
  ),
  caught(
    "docs.list/without-size",
    "Lists entries without their size.",
    ["docs.list/items"],
    /size/,
    each(({ size: _, ...item }) => item),
  ),
  caught(
    "docs.list/names-only",
    "Lists names in place of entries.",
    ["docs.list/items"],
    /object/,
    listed((items) => items.map(({ name }) => name)),
  ),
  caught("docs.list/bare-array", "Answers the entries without the object around them.", ["docs.list/items"], /object/, {
    answer: answerOf("docs.list", () => respond(200, [])),
  }),
  caught(
    "docs.list/size-as-text",
    "Gives the size as a text.",
    ["docs.list/items"],
    /size/,
    each((item) => ({ ...item, size: `${item.size}` })),
  ),
  caught(
    "docs.list/operation-is-the-name",
    "Gives the name as the operation.",
    ["docs.list/items"],
    /operation/,
    each((item) => ({ ...item, operation: item.name })),
  ),
  caught(
    "docs.list/operation-in-lower-case",
    "Gives the operation in lower case.",
    ["docs.list/items", "docs.list/each-there"],
    /docs\.get\.README|404/,
    each((item) => ({ ...item, operation: String(item.operation).toLowerCase() })),
  ),
  caught(
    "docs.list/other-media-type",
    "Calls the documents text/plain.",
    ["docs.list/items"],
    /mediaType/,
    each((item) => ({ ...item, mediaType: "text/plain" })),
  ),
  caught(
    "docs.list/misses-readme",
    "Leaves out README.",
    ["docs.list/entries"],
    /no README/,
    listed((items) => items.filter(({ name }) => name !== "README")),
  ),
  caught(
    "docs.list/misses-the-last",
    "Leaves out the last entry.",
    ["docs.list/entries"],
    /no changelog/,
    listed((items) => items.slice(0, -1)),
  ),
  caught(
    "docs.list/empty",
    "Lists nothing.",
    ["docs.list/entries"],
    /no README, no reference/,
    listed(() => []),
  ),
  caught(
    "docs.list/twice",
    "Lists an entry twice.",
    ["docs.list/entries"],
    /README more than once/,
    listed((items) => [...items, ...items.slice(0, 1)]),
  ),
  caught(
    "docs.list/other-letter-case",
    "Lists README as Readme.",
    ["docs.list/entries", "docs.list/each-there"],
    /no README|404/,
    each((item) => (item.name === "README" ? { ...item, name: "Readme", operation: "docs.get.Readme" } : item)),
  ),
  caught(
    "docs.list/lists-what-is-not-there",
    "Lists an entry that nobody can read.",
    ["docs.list/each-there"],
    /document-not-found/,
    listed((items) => [...items, { ...items[0], name: "LICENSE", operation: "docs.get.LICENSE" }]),
  ),
  caught(
    "docs.list/title-is-the-name",
    "Lists the name as the title.",
    ["docs.list/each-there"],
    /title of the list/,
    each((item) => ({ ...item, title: `${item.name}.md` })),
  ),
  caught(
    "docs.list/operations-swapped",
    "Lists entries with each other's operation.",
    ["docs.list/items", "docs.list/each-there"],
    /docs\.get\./,
    listed((items) =>
      items.map((item, index) => ({ ...item, operation: items[(index + 1) % items.length]?.operation })),
    ),
  ),
  caught(
    "docs.list/size-off-by-one",
    "Gives a size of one byte too many.",
    ["docs.list/size"],
    /size/,
    each((item) => ({ ...item, size: size(item) + 1 })),
  ),
  caught(
    "docs.list/size-zero",
    "Gives the size 0.",
    ["docs.list/size"],
    /size 0/,
    each((item) => ({ ...item, size: 0 })),
  ),
  caught(
    "docs.list/size-in-kilobytes",
    "Gives the size in kilobytes.",
    ["docs.list/size"],
    /size/,
    each((item) => ({ ...item, size: Math.ceil(size(item) / 1024) })),
  ),
];
