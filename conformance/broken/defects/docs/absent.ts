import { operations } from "../../../../generated/operations.ts";
import { knownParts } from "../../../client/operation.ts";
import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { respond, respondProblem, withStatus } from "../../shape.ts";
import { anyDocumentAnswer, entryOf, namedInstead, nameRequest, PATTERN } from "./hooks.ts";

const knownNames = knownParts(operations["docs.get"]);

const ABSENT = ["unknown", "letter-case", "near-miss", "longest-name", "prototype-names", "file-names"].map(
  (one) => `docs.get/absent#${one}`,
);
const absent = (...variants: readonly string[]) => variants.map((variant) => `docs.get/absent#${variant}`);

/** Changes what is answered to a name that no entry has. */
const onAbsent = (change: NonNullable<Defect["answer"]>, where: (name: string) => boolean = () => true) =>
  anyDocumentAnswer((answer, request, context) =>
    !knownNames.includes(entryOf(request)) && PATTERN.test(entryOf(request)) && where(entryOf(request))
      ? change(answer, request, context)
      : answer,
  );

export const absentDefects: readonly Defect[] = [
  caught(
    "docs.get/any-letter-case",
    "Finds documents in any letter case.",
    absent("letter-case"),
    /404/,
    nameRequest((name) => knownNames.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name),
  ),
  caught(
    "docs.get/readme-in-any-letter-case",
    "Finds README as readme.",
    absent("letter-case"),
    /404/,
    nameRequest((name) => (name === "readme" ? "README" : name)),
  ),
  caught(
    "docs.get/begins-alike",
    "Finds documents by the beginning of their name.",
    absent("near-miss"),
    /404/,
    nameRequest((name) => knownNames.find((one) => name.length > 3 && one.startsWith(name)) ?? name),
  ),
  caught(
    "docs.get/begins-with",
    "Finds a document whose name the given one begins with.",
    absent("near-miss"),
    /404/,
    nameRequest((name) => knownNames.find((one) => name.startsWith(one)) ?? name),
  ),
  caught(
    "docs.get/readme-for-unknown",
    "Answers README to unknown names.",
    ABSENT,
    /404/,
    onAbsent(namedInstead("README")),
  ),
  caught(
    "docs.get/empty-for-unknown",
    "Answers unknown names with an empty document.",
    ABSENT,
    /404/,
    onAbsent((_, request) =>
      respond(200, { name: entryOf(request), title: "-", mediaType: "text/markdown", content: "" }),
    ),
  ),
  caught(
    "docs.get/500-for-unknown",
    "Answers unknown names with 500.",
    ABSENT,
    /404/,
    onAbsent(() => respondProblem(500, "internal-error")),
  ),
  caught(
    "docs.get/204-for-unknown",
    "Answers unknown names with 204.",
    ABSENT,
    /404/,
    onAbsent((answer) => withStatus({ ...answer, body: Buffer.alloc(0) }, 204)),
  ),
  caught(
    "docs.get/operation-for-document",
    "Calls a document that is not there an unknown operation.",
    [...ABSENT, ...absent("whatever-headers")],
    /document-not-found/,
    onAbsent(() => respondProblem(404, "operation-not-found")),
  ),
  caught(
    "docs.get/prototype-names",
    "Looks names up in an object: constructor is there.",
    absent("prototype-names"),
    /404/,
    onAbsent(
      () => respond(200, { content: "function Object() { [native code] }" }),
      (name) => name in {},
    ),
  ),
  caught(
    "docs.get/prototype-names-break",
    "Fails on names that every object has.",
    absent("prototype-names"),
    /404/,
    onAbsent(
      () => respondProblem(500, "internal-error"),
      (name) => name in {},
    ),
  ),
  caught(
    "docs.get/63-characters",
    "Takes names of 63 characters at most.",
    absent("longest-name"),
    /document-not-found/,
    onAbsent(
      () => respondProblem(404, "operation-not-found"),
      (name) => name.length > 63,
    ),
  ),
  caught(
    "docs.get/one-character",
    "Takes no names of one character.",
    absent("unknown"),
    /document-not-found/,
    onAbsent(
      () => respondProblem(404, "operation-not-found"),
      (name) => name.length === 1,
    ),
  ),
  caught(
    "docs.get/no-digits-first",
    "Takes no names that begin with a digit.",
    absent("unknown"),
    /document-not-found/,
    onAbsent(
      () => respondProblem(404, "operation-not-found"),
      (name) => /^\d/.test(name),
    ),
  ),
  caught(
    "docs.get/file-of-the-project",
    "Answers the license as a document.",
    absent("file-names"),
    /404/,
    onAbsent(
      () => respond(200, { name: "LICENSE", title: "License", mediaType: "text/markdown", content: "MIT" }),
      (name) => name === "LICENSE",
    ),
  ),
  caught(
    "docs.get/304-for-unknown",
    "Answers 304 to If-None-Match: * where there is no document.",
    absent("whatever-headers"),
    /404/,
    onAbsent((answer, request) =>
      header(request, "If-None-Match") ? withStatus({ ...answer, body: Buffer.alloc(0) }, 304) : answer,
    ),
  ),
  caught(
    "docs.get/html-for-unknown",
    "Answers unknown names with a page of 200 to browsers.",
    absent("whatever-headers"),
    /404/,
    onAbsent((answer, request) =>
      header(request, "Accept") === "text/html"
        ? { ...withStatus(answer, 200), body: Buffer.from("<!doctype html>") }
        : answer,
    ),
  ),
  caught(
    "docs.get/head-of-unknown",
    "Answers HEAD with 200, whatever the name is.",
    absent("whatever-headers"),
    /404/,
    onAbsent((answer, request) => (request.method === "HEAD" ? withStatus(answer, 200) : answer)),
  ),
];
