import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { withHeader, withoutHeader } from "../../shape.ts";
import { documentAnswer, entryOf, formatAnswer, on304 } from "./hooks.ts";

const OF_200 = ["formats", "codings", "every-entry", "head"];
const ofEach = (requirement: string, variants: readonly string[]) =>
  variants.map((variant) => `${requirement}#${variant}`);

/** One header of every representation, missing, wrong, or right in some places only. */
const headerDefects = (
  requirement: "docs.get/vary" | "docs.get/caching",
  name: string,
  wrong: readonly string[],
  reason: RegExp,
): readonly Defect[] => {
  const short = name.toLowerCase();
  return [
    caught(
      `docs.get/without-${short}`,
      `Sends documents without ${name}.`,
      ofEach(requirement, OF_200),
      reason,
      documentAnswer((answer) => withoutHeader(answer, name)),
    ),
    ...wrong.map((value, index) =>
      caught(
        `docs.get/wrong-${short}-${index + 1}`,
        `Sends documents with ${name}: ${value}.`,
        ofEach(requirement, OF_200),
        reason,
        documentAnswer((answer) => withHeader(answer, name, value)),
      ),
    ),
    caught(
      `docs.get/${short}-not-on-304`,
      `Sends 304 without ${name}.`,
      [`${requirement}#not-modified`],
      reason,
      on304((answer) => withoutHeader(answer, name)),
    ),
    caught(
      `docs.get/${short}-not-on-html`,
      `Sends HTML without ${name}.`,
      [`${requirement}#formats`],
      reason,
      formatAnswer("text/html", (answer) => withoutHeader(answer, name)),
    ),
    caught(
      `docs.get/${short}-not-on-compressed`,
      `Sends compressed documents without ${name}.`,
      [`${requirement}#codings`],
      reason,
      documentAnswer((answer) => (header(answer, "Content-Encoding") ? withoutHeader(answer, name) : answer)),
    ),
    caught(
      `docs.get/${short}-of-readme-only`,
      `Sends ${name} with README only.`,
      [`${requirement}#every-entry`],
      reason,
      documentAnswer((answer, request) => (entryOf(request) === "README" ? answer : withoutHeader(answer, name))),
    ),
    caught(
      `docs.get/${short}-not-on-head`,
      `Answers HEAD without ${name}.`,
      [`${requirement}#head`],
      reason,
      documentAnswer((answer, request) => (request.method === "HEAD" ? withoutHeader(answer, name) : answer)),
    ),
  ];
};

export const cachingDefects: readonly Defect[] = [
  ...headerDefects("docs.get/vary", "Vary", ["Accept", "Accept-Encoding", "Origin", "*"], /Vary/),
  ...headerDefects(
    "docs.get/caching",
    "Cache-Control",
    [
      "no-store",
      "private, max-age=300",
      "public, max-age=3600",
      "public",
      "max-age=300",
      "public, max-age=300, no-cache",
      "public, max-age=300, s-maxage=86400",
    ],
    /public, max-age=300/,
  ),
];
