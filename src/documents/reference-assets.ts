import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Asset, createAsset } from "../http/assets.ts";
import { packageRoot } from "../package.ts";
import { slug } from "./markdown.ts";
import { navigation, sectionOf, TRY_IT } from "./navigation.ts";
import { referencePage, referencePolicy } from "./reference.ts";

/** The files that the reference page loads, by name below `/reference/`: they are large, so they are read when they are requested. */
export const REFERENCE_FILES: ReadonlyMap<string, { readonly mediaType: string; readonly content: () => Buffer }> =
  new Map(
    [
      ["swagger-ui-bundle.js", "text/javascript"] as const,
      ["swagger-ui.css", "text/css"] as const,
      ["reference-ui.js", "text/javascript"] as const,
    ].map(([name, type]) => {
      const file = locate(name); // at start, which fails without it
      return [name, { mediaType: `${type}; charset=utf-8`, content: () => readFileSync(file) }];
    }),
  );

/** Swagger UI is served from its package; nothing is loaded from another host. */
function locate(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  return name.startsWith("reference-")
    ? join(packageRoot(), "src/documents", name)
    : resolve(`swagger-ui-dist/${name}`);
}

/** They are the same for every service of this process. */
const files: ReadonlyMap<string, Asset> = new Map(
  [...REFERENCE_FILES].map(([name, file]) => [`/reference/${name}`, createAsset(file)]),
);

/** The reference page and its files, by path (D11). */
export function referenceAssets(): ReadonlyMap<string, Asset> {
  const page = createAsset({
    mediaType: "text/html; charset=utf-8",
    content: referencePage({
      navigation: navigation("beside", TRY_IT),
      section: (name) => sectionOf(slug(name)),
      calls: "here",
    }),
    headers: { "Content-Security-Policy": `${referencePolicy()}; frame-ancestors 'none'` },
  });
  return new Map([...files, ["/reference", page]]);
}
