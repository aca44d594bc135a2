import { expectStatus, fail } from "../../client/expect.ts";
import { excerpt, memberIn, type Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { CODINGS, decoded, documentNames, expectNotModified, getDocument } from "../docs/document.ts";
import { BROWSER } from "../docs/html.ts";
import { expectContract, FILES, getFile, type Json, member, objects, parsed, read } from "./files.ts";

const serversOf = ({ servers }: Json): string[] => objects(servers).map(({ url }) => String(url));

function expectAddress(url: string): void {
  const absolute = URL.canParse(url) && /^https?:\/\//i.test(url);
  if (!absolute) fail("body:/servers", "an absolute http address", excerpt(url));
  if (/\.invalid$|[{}<>$]|%7b/i.test(new URL(url).hostname) || /[{}<>]/.test(url))
    fail("body:/servers", "the address of a deployment", excerpt(url));
}

/** The hosts of the servers of the spec (D32). */
const PLACEHOLDER = /\b(?:one|two)\.invalid\b/;

function tagOf(reply: Reply): string {
  const tag = reply.header("etag") ?? "none";
  if (!/^(W\/)?"[^"]+"$/.test(tag)) fail("header:etag", 'an ETag such as "abc"', excerpt(tag));
  return tag;
}

/** The published contract: that it is there, its version, its servers and its validators (D11, D12, D32, G6). */
export const contractPublication = [
  ...FILES.map((file) =>
    check(`contract/served#${file.slice(1)}`, {}, async (api) => {
      const reply = await getFile(api, file);
      expectContract(parsed(reply, file), file);
      const head = await api.request({ method: "HEAD", target: file });
      expectStatus(head, 200);
      if (head.mediaType !== reply.mediaType)
        fail("header:content-type", `${reply.mediaType} for HEAD`, head.mediaType);
    }),
  ),
  check("contract/served#however-asked", {}, async (api) => {
    for (const file of FILES) {
      const plain = await getFile(api, file);
      const refusing = { "Accept-Encoding": CODINGS.map((one) => `${one};q=0`).join(", ") };
      const asked = [...CODINGS.map((one) => ({ "Accept-Encoding": one })), { Accept: BROWSER }, refusing];
      for (const headers of asked) {
        const reply = await getFile(api, file, headers);
        expectStatus(reply, 200);
        const coding = reply.header("content-encoding") ?? "identity";
        if (headers === refusing && coding !== "identity") fail("header:content-encoding", "no coding", coding);
        const bytes = decoded(reply);
        if (!bytes.equals(plain.body)) fail("body", `${file} as for anyone`, excerpt(bytes.toString()));
      }
    }
  }),
  check("contract/version", {}, async (api) => {
    const wanted = memberIn((await api.call("sysinfo")).body, "version");
    for (const file of FILES) {
      const { version } = member(await read(api, file), "info");
      if (version !== wanted)
        fail("body:/info/version", `the version of sysinfo, ${wanted}, in ${file}`, String(version));
    }
  }),
  check("contract/servers", {}, async (api) => {
    const wanted = serversOf(await read(api, FILES[0]));
    if (wanted.length === 0) fail("body:/servers", "servers", "none");
    wanted.forEach(expectAddress);
    for (const file of FILES) {
      const urls = serversOf(await read(api, file));
      if (urls.join() !== wanted.join()) fail("body:/servers", `${wanted.join(", ")} in ${file}`, urls.join(", "));
    }
  }),
  check("contract/no-placeholders", {}, async (api) => {
    const published = await Promise.all(FILES.map((file) => getFile(api, file)));
    const documents = await Promise.all((await documentNames(api)).map((name) => getDocument(api, name)));
    for (const reply of [...published, ...documents]) {
      const [found] = PLACEHOLDER.exec(reply.text) ?? [];
      if (found !== undefined)
        fail("body", "no placeholder for the address of a deployment", `${found} in ${reply.exchange.request.url}`);
    }
  }),
  check("contract/etag", {}, async (api) => {
    for (const file of FILES) {
      const tag = tagOf(await getFile(api, file));
      const head = (headers: readonly (readonly [string, string])[]) =>
        api.request({ method: "HEAD", target: file, headers });
      for (const again of [await getFile(api, file), await head([])])
        if (again.header("etag") !== tag) fail("header:etag", `the same ETag for the same bytes, ${tag}`, tagOf(again));
      for (const value of [tag, `"other", ${tag}`]) await expectNotModified(api, file, [["If-None-Match", value]], tag);
      expectStatus(await head([["If-None-Match", tag]]), 304);
      expectStatus(await getFile(api, file, { "If-None-Match": '"other"' }), 200);
    }
    for (const encoding of ["gzip", "br"]) {
      const tag = tagOf(await getFile(api, FILES[0], { "Accept-Encoding": encoding }));
      const asked = ["Accept-Encoding", encoding] as const;
      await expectNotModified(api, FILES[0], [asked, ["If-None-Match", tag]], tag);
    }
  }),
];
