import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationValidators } from "../contract.ts";
import { ExpectedError } from "../expected-error.ts";
import { type Asset, createAsset } from "../response/assets.ts";
import { responseFaults } from "../response/response.ts";
import type { Config } from "../settings/config.ts";
import { fileAddresses, navigation, resolveLink, type Site } from "./links.ts";
import { renderMarkdown, titleOf } from "./markdown.ts";
import { PAGE_HEADERS, page } from "./page.ts";

/** A document, as `docs.list` returns it. */
export interface DocumentEntry {
  readonly name: string;
  readonly title: string;
  readonly mediaType: "text/markdown";
  /** Bytes of the content. */
  readonly size: number;
  /** Its name as an operation. */
  readonly operation: string;
}

/** A document and all its representations. */
interface StoredDocument {
  readonly entry: DocumentEntry;
  readonly content: string;
  /**
   * By media type (D31); the asset's own media type is the whole `Content-Type`, with its charset.
   */
  readonly representations: Readonly<Record<string, Asset>>;
}

/** The documentation entries by name, in a fixed order (D30); a name is never a path. */
export type Documents = ReadonlyMap<string, StoredDocument>;

/** The placeholder of the first deployment in the spec and in the files generated from it (D32). */
export const PLACEHOLDER = "https://one.invalid";
/** The placeholder, and the address in the examples of guides, which can be run as they are. */
const ADDRESSES = /https:\/\/one\.invalid|http:\/\/127\.0\.0\.1:3000(?!\d)/g;

/** Reads a document, with the base URL of a deployment in place of either address. */
export const readDocument = (file: string, deploymentUrl: string): string =>
  readFileSync(file, "utf8").replace(ADDRESSES, () => deploymentUrl);

/**
 * Reads all documents, with the base URL of the first deployment.
 * Throws when a file is missing or has no title: the service must not start without it.
 */
export function loadDocuments(site: Site, deploymentUrl: string = PLACEHOLDER): Documents {
  const { root, publication } = site;
  const addresses = fileAddresses(publication);
  const load = (name: string, file: string): StoredDocument => {
    const content = readDocument(join(root, file), deploymentUrl);
    const title = titleOf(content);
    if (title === null) throw new ExpectedError(`${file} has no heading of level 1`);
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
        navigation: navigation(site, "endpoint", name),
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

/**
 * Validates the documents against the contract, once, at start, since they never change: throws, or
 * reports what does not match.
 */
export function checkDocuments(
  documents: Documents,
  docsGet: OperationValidators | undefined,
  checkResponses: Config["checkResponses"],
  onUndocumented: (faults: readonly string[]) => void,
): void {
  if (!docsGet) return;
  const faults = [...documents].flatMap(([name, { entry, content, representations }]) =>
    Object.keys(representations).flatMap((mediaType) => {
      const answer = mediaType === "application/json" ? asJson(entry, content) : content;
      return responseFaults(docsGet, { status: 200, mediaType }, answer).map(
        (fault) => `${name}: ${fault}`,
      );
    }),
  );
  if (faults.length === 0) return;
  if (checkResponses === "throw")
    throw new ExpectedError(["Documents break the contract:", ...faults].join("\n  "));
  onUndocumented(faults);
}
