import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publication } from "../../src/publication.ts";
import { PLACEHOLDER } from "../../src/server/documents/documents.ts";
import { documentLinks, fileAddresses, resolveLink, TRY_IT } from "../../src/server/documents/links.ts";
import { type Heading, renderMarkdown, titleOf } from "../../src/server/documents/markdown.ts";
import {
  anchor,
  contentSecurityPolicy,
  type Link,
  page,
  policyTag,
  styleSource,
} from "../../src/server/documents/page.ts";
import { highlight } from "./highlight.ts";
import { type Section, sectionsOf } from "./search.ts";
import { siteStyle } from "./style.ts";

/** A page of 60 kB has room for so much Markdown; a longer document is cut at its sections. */
const PART_LENGTH = 18_000;

const PICTURE = "src/docs/order.svg";

/** The page of a document, or of a further part of it. */
const fileOf = (name: string, part = 0): string =>
  `${name === "README" ? "index" : name}${part > 0 ? `-${part + 1}` : ""}.html`;

export const TRY_IT_FILE = "try-it.html";
export const FILES_FILE = "files.html";

/** Files of the package, by where the site has them. */
const addresses = new Map([...fileAddresses(publication, (name) => `${name}.md`, ""), [`/${PICTURE}`, "order.svg"]]);

/** Nothing from elsewhere. */
const POLICY = contentSecurityPolicy(
  "script-src 'self'",
  `style-src ${styleSource(siteStyle)}`,
  "img-src 'self' data:",
);

/** The navigation of a page; `current` is the name of a document, or the label of another page. */
export const siteNavigation = (current: string): readonly Link[] => [
  { href: fileOf("README"), label: publication.title },
  ...documentLinks(publication, (name) => (name === TRY_IT ? TRY_IT_FILE : fileOf(name)), current),
  { href: FILES_FILE, label: "Files", group: "Build on it", current: current === "Files" },
];

/** A page of the site. */
export function sitePage(title: string, current: string, content: string, contents: readonly Heading[] = []): string {
  const head = `${policyTag(POLICY)}<script src="site.js" defer></script>\n`;
  return page({
    title,
    navigation: siteNavigation(current),
    content,
    contents,
    own: { style: siteStyle, head, icon: "icon.svg" },
  });
}

type Site = Readonly<{ files: ReadonlyMap<string, string>; sections: readonly Section[] }>;

/** Every document as Markdown and as pages, and what is found in them. */
export function documentPages(server: string): Site {
  const documents = Object.entries(publication.documents).map(([name, entry]) => readDocument(name, entry, server));
  const files = new Map(documents.map(({ name, markdown }) => [`${name}.md`, markdown]));
  files.set("order.svg", readFileSync(join(publication.root, PICTURE), "utf8"));
  // The headings of all parts, by their address if the document were one page.
  const headings = new Map(
    documents.flatMap(({ name, parts }) =>
      parts.flatMap((part) => part.headings.map(({ href }) => [fileOf(name) + href, part.file + href] as const)),
    ),
  );
  const sections = documents.flatMap((document) =>
    document.parts.flatMap((part) => {
      const { html, content } = partPage(document, part, headings);
      files.set(part.file, html);
      return sectionsOf(part.file, document.label, content);
    }),
  );
  return { files, sections };
}

interface Part {
  readonly markdown: string;
  readonly file: string;
  readonly headings: readonly Heading[];
}

interface SiteDocument {
  readonly name: string;
  readonly label: string;
  readonly title: string;
  readonly markdown: string;
  readonly parts: readonly Part[];
}

function readDocument(
  name: string,
  { label, file }: { readonly label: string; readonly file: string },
  server: string,
): SiteDocument {
  const text = readFileSync(join(publication.root, file), "utf8");
  const markdown = inOneFolder(file, text).replaceAll(PLACEHOLDER, server);
  const title = titleOf(markdown) ?? name;
  const parts = partsOf(markdown, title).map((part, index) => {
    const { headings } = renderMarkdown(part, (href) => href);
    return { markdown: part, file: fileOf(name, index), headings };
  });
  return { name, label, title, markdown, parts };
}

/** The page of one part, with the contents of all parts, and what it shows of the part. */
function partPage({ name, title, parts }: SiteDocument, part: Part, headings: ReadonlyMap<string, string>) {
  const link = (href: string): string => {
    const address = href.startsWith("#") ? fileOf(name) + href : pageOf(href);
    const target = headings.get(address) ?? address;
    return target.startsWith(`${part.file}#`) ? target.slice(part.file.length) : target;
  };
  const { html } = renderMarkdown(part.markdown, link, { resolveImage: (image) => image, highlight });
  const contents = parts.flatMap((one) =>
    one.headings.map((heading) => ({ ...heading, href: one === part ? heading.href : one.file + heading.href })),
  );
  const others = parts.flatMap((one, index) =>
    one === part || parts.length === 1 ? [] : [anchor({ href: one.file, label: `Part ${index + 1}` })],
  );
  const foot = [...others, anchor({ href: `${name}.md`, label: "This document as Markdown" })];
  const named = title.startsWith(publication.title) ? title : `${title} · ${publication.title}`;
  const content = `${html}<p class="next">${foot.join("\n")}</p>`;
  return { html: sitePage(named, name, content, contents), content: html };
}

/** All documents are in one folder; of a link to another file of the package, only the text is kept. */
const inOneFolder = (file: string, markdown: string): string =>
  markdown.replace(
    /(!?)\[((?:[^\][]|\[[^\][]*\])*)\]\(([^)\s]+)\)/g,
    (_, image: string, text: string, href: string) => {
      const address = resolveLink(addresses, file, href);
      return address === null ? text : `${image}[${text}](${address})`;
    },
  );

/** The page of a document that is linked as Markdown. */
const pageOf = (href: string): string => {
  const [path = "", hash] = href.split("#", 2);
  const name = Object.keys(publication.documents).find((one) => `${one}.md` === path);
  return name === undefined ? href : `${fileOf(name)}${hash === undefined ? "" : `#${hash}`}`;
};

/** Its sections, as many to a part as a page has room for. */
function partsOf(markdown: string, title: string): readonly string[] {
  const parts: string[] = [];
  for (const section of markdown.split(/^(?=## )/m)) {
    const last = parts.at(-1);
    if (last === undefined || last.length + section.length > PART_LENGTH) parts.push(section);
    else parts[parts.length - 1] = last + section;
  }
  return parts.map((text, at) => (at === 0 ? text : `# ${title} (${at + 1} of ${parts.length})\n\n${text}`));
}
