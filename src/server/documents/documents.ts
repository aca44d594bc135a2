import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationValidators } from "../contract.ts";
import { type Asset, createAsset } from "../response/assets.ts";
import { responseFaults } from "../response/response.ts";
import { SafeError } from "../safe-error.ts";
import type { Config } from "../settings/config.ts";
import { fileAddresses, navigation, type Published, resolveLink } from "./links.ts";
import { renderMarkdown, titleOf } from "./markdown.ts";
import { PAGE_HEADERS, page } from "./page.ts";

/** A document, as `docs.list` returns it. */
export interface DocumentEntry {
  readonly name: string;
  readonly title: string;
  readonly mediaType: "text/markdown";
  /** Of the content, in bytes. */
  readonly size: number;
  /** Its name as an operation. */
  readonly operation: string;
}

/** A document and all its representations. */
interface StoredDocument {
  readonly entry: DocumentEntry;
  readonly content: string;
  /** By media type (D31); the asset's own media type is the whole `Content-Type`, with its charset. */
  readonly representations: Readonly<Record<string, Asset>>;
}

/** The documentation entries by name, in a fixed order (D30); a name is never a path. */
export type Documents = ReadonlyMap<string, StoredDocument>;

/** The placeholder of the first deployment in the spec and in the files generated from it (D32). */
export const PLACEHOLDER = "https://one.invalid";

/**
 * Reads all documents and replaces the placeholder with the base URL of the first deployment. Throws when a file is missing or has no
 * title: the service must not start without it.
 */
export function loadDocuments(
  published: Published,
  deploymentUrl: string = PLACEHOLDER,
): Documents {
  const { root, publication } = published;
  const addresses = fileAddresses(publication);
  const load = (name: string, file: string): StoredDocument => {
    const content = readFileSync(join(root, file), "utf8").replaceAll(PLACEHOLDER, deploymentUrl);
    const title = titleOf(content);
    if (title === null) throw new SafeError(`${file} has no heading of level 1`);
    const entry = {
      name,
      title,
      mediaType: "text/markdown" as const,
      size: Buffer.byteLength(content),
      operation: `docs.get.${name}`,
    };
    const html = () => {
      const { html, sections } = renderMarkdown(content, (href) =>
        resolveLink(addresses, file, href),
      );
      return page({
        title,
        navigation: navigation(published, "endpoint", name),
        content: html,
        contents: sections,
      });
    };
    const representations = {
      "application/json": createAsset("application/json; charset=utf-8", () =>
        JSON.stringify(asJson(entry, content)),
      ),
      "text/markdown": createAsset("text/markdown; charset=utf-8", content),
      "text/plain": createAsset("text/plain; charset=utf-8", content),
      "text/html": createAsset("text/html; charset=utf-8", html, PAGE_HEADERS),
    };
    return { entry, content, representations };
  };
  return new Map(
    Object.entries(publication.documents).map(([name, { file }]) => [name, load(name, file)]),
  );
}

/** A document, as `docs.get` returns it by default. */
const asJson = ({ name, title, mediaType }: DocumentEntry, content: string) => ({
  name,
  title,
  mediaType,
  content,
});

/** Validates the documents against the contract, once, at start, since they never change: throws, or reports what does not match. */
export function checkDocuments(
  documents: Documents,
  docsGet: OperationValidators | undefined,
  checkAnswers: Config["checkAnswers"],
  onUndocumented: (faults: readonly string[]) => void,
): void {
  if (checkAnswers === "off" || !docsGet) return;
  const faults = [...documents].flatMap(([name, { entry, content, representations }]) =>
    Object.keys(representations).flatMap((mediaType) => {
      const answer = mediaType === "application/json" ? asJson(entry, content) : content;
      return responseFaults(docsGet, { status: 200, mediaType }, answer).map(
        (fault) => `${name}: ${fault}`,
      );
    }),
  );
  if (faults.length === 0) return;
  if (checkAnswers === "throw")
    throw new SafeError(["Documents break the contract:", ...faults].join("\n  "));
  onUndocumented(faults);
}
