import { contract } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { check } from "../check.ts";
import { decoded, documentNames, expectNotModified } from "../docs/document.ts";
import {
  expectYaml,
  FILES,
  getFile,
  JSON_FILES,
  type Json,
  member,
  parseJson,
  readJson,
  readYaml,
  references,
  referredTo,
  YAML_FILES,
  yamlBlock,
  yamlReferences,
  yamlValues,
} from "./files.ts";

const isJson = (file: string) => file.endsWith(".json");
const variant = (file: string) => file.slice("/openapi.".length).replace(".", "-");

async function versionOf(api: Api): Promise<string> {
  return expectSuccess(await api.call("sysinfo"), "sysinfo").version;
}

const serversOf = ({ servers }: Json): string[] =>
  Array.isArray(servers) ? servers.map((server: Json) => String(server?.url)) : [];

function expectAddresses(urls: readonly string[]): void {
  if (urls.length === 0) fail("body", "servers", "none");
  for (const url of urls) {
    const parsed =
      URL.canParse(url) && /^https?:\/\//i.test(url)
        ? new URL(url)
        : fail("body", "an absolute http address in servers", excerpt(url));
    if (/\.invalid$|[{}<>$]|%7b/i.test(parsed.hostname) || /[{}<>]/.test(url))
      fail("body", "the address of a deployment in servers", excerpt(url));
  }
}

/** The published contract: that it is there, its version, its servers and its validators (D11, D12, D32, G6). */
/** The hosts of the servers of the spec (D32). */
const PLACEHOLDER = /\b(?:one|two)\.invalid\b/;

export const contractPublication = [
  ...FILES.map((file) =>
    check(`contract/served#${variant(file)}`, {}, async (api) => {
      const reply = await getFile(api, file);
      if (isJson(file)) {
        const { title } = member(parseJson(reply), "info");
        if (title !== contract.title) fail("body", `the contract of ${contract.title}`, excerpt(String(title)));
      } else {
        const titles = yamlValues(yamlBlock(expectYaml(reply), "info"), "title");
        if (titles[0] !== contract.title)
          fail("body", `the contract of ${contract.title}`, titles.join(", ") || "no title");
      }
      const head = await api.request({ method: "HEAD", target: file });
      expectStatus(head, 200);
      if (head.mediaType !== reply.mediaType) fail("body", `${reply.mediaType} for HEAD`, head.mediaType);
    }),
  ),
  ...FILES.map((file) =>
    check(`contract/served#${variant(file)}-references`, {}, async (api) => {
      // A file in YAML has what its twin in JSON has.
      const document = await readJson(api, file.includes("operations") ? "/openapi.operations.json" : "/openapi.json");
      const all = isJson(file) ? references(document) : yamlReferences(expectYaml(await getFile(api, file)));
      const lost = all.filter((one) => one.startsWith("#") && referredTo(document, one) === undefined);
      if (lost.length > 0)
        fail("body", `a $ref of ${file} that leads somewhere`, excerpt([...new Set(lost)].join(", ")));
    }),
  ),
  check("contract/served#compressed", {}, async (api) => {
    for (const file of FILES) {
      const plain = await getFile(api, file, [["Accept-Encoding", "identity"]]);
      for (const encoding of ["gzip", "br"]) {
        const reply = await getFile(api, file, [["Accept-Encoding", encoding]]);
        expectStatus(reply, 200);
        if (!decoded(reply).equals(plain.body))
          fail("body", `${file} in ${encoding} as without a coding`, excerpt(decoded(reply).toString()));
      }
    }
  }),
  check("contract/served#whatever-accept", {}, async (api) => {
    for (const file of FILES) {
      const plain = await getFile(api, file);
      const reply = await getFile(api, file, [["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"]]);
      expectStatus(reply, 200);
      if (!reply.body.equals(plain.body)) fail("body", `${file} for a browser as for anyone`, excerpt(reply.text));
    }
  }),
  ...JSON_FILES.map((file) =>
    check(`contract/version#${variant(file)}`, {}, async (api) => {
      const wanted = await versionOf(api);
      const { version } = member(await readJson(api, file), "info");
      if (version !== wanted) fail("body", `the version of sysinfo, ${wanted}`, String(version));
    }),
  ),
  ...YAML_FILES.map((file) =>
    check(`contract/version#${variant(file)}`, {}, async (api) => {
      const wanted = await versionOf(api);
      const [version] = yamlValues(yamlBlock(await readYaml(api, file), "info"), "version");
      if (version !== wanted) fail("body", `the version of sysinfo, ${wanted}`, version ?? "none");
    }),
  ),
  ...JSON_FILES.map((file) =>
    check(`contract/servers#${variant(file)}`, {}, async (api) =>
      expectAddresses(serversOf(await readJson(api, file))),
    ),
  ),
  ...YAML_FILES.map((file) =>
    check(`contract/servers#${variant(file)}`, {}, async (api) =>
      expectAddresses(yamlValues(yamlBlock(await readYaml(api, file), "servers"), "url")),
    ),
  ),
  check("contract/servers#agree", {}, async (api) => {
    const wanted = serversOf(await readJson(api, "/openapi.json")).join(", ");
    const operations = serversOf(await readJson(api, "/openapi.operations.json")).join(", ");
    if (operations !== wanted)
      fail("body", `the servers of /openapi.json in /openapi.operations.json: ${wanted}`, operations);
    for (const file of YAML_FILES) {
      const urls = yamlValues(yamlBlock(await readYaml(api, file), "servers"), "url").join(", ");
      if (urls !== wanted) fail("body", `the servers of /openapi.json in ${file}: ${wanted}`, urls);
    }
  }),
  check("contract/no-placeholders", {}, async (api) => {
    const published = await Promise.all(FILES.map((file) => getFile(api, file)));
    const names = await documentNames(api);
    const documents = await Promise.all(names.map((name) => api.call("docs.get", { input: { name } })));
    for (const reply of [...published, ...documents]) {
      const [found] = PLACEHOLDER.exec(reply.text) ?? [];
      if (found !== undefined)
        fail("body", "no placeholder for the address of a deployment", `${found} in ${reply.exchange.request.url}`);
    }
  }),
  ...FILES.map((file) =>
    check(`contract/etag#${variant(file)}`, {}, async (api) => {
      const reply = await getFile(api, file);
      const tag = reply.header("etag") ?? fail("header:etag", "an ETag", "none");
      if (!/^(W\/)?"[^"]+"$/.test(tag)) fail("header:etag", 'an ETag such as "abc"', excerpt(tag));
      const again = (await getFile(api, file)).header("etag");
      if (again !== tag) fail("header:etag", `the same ETag for the same bytes, ${tag}`, again ?? "none");
      await expectNotModified(api, file, [["If-None-Match", tag]], tag);
      await expectNotModified(api, file, [["If-None-Match", `"other", ${tag}`]], tag);
      expectStatus(await getFile(api, file, [["If-None-Match", '"other"']]), 200);
    }),
  ),
  check("contract/etag#codings", {}, async (api) => {
    for (const encoding of ["gzip", "br"]) {
      const asked = ["Accept-Encoding", encoding] as const;
      const tag =
        (await getFile(api, "/openapi.json", [asked])).header("etag") ??
        fail("header:etag", `an ETag in ${encoding}`, "none");
      await expectNotModified(api, "/openapi.json", [asked, ["If-None-Match", tag]], tag);
    }
  }),
  check("contract/etag#head", {}, async (api) => {
    for (const target of FILES) {
      const tag = (await getFile(api, target)).header("etag") ?? fail("header:etag", "an ETag", "none");
      const head = await api.request({ method: "HEAD", target });
      if (head.header("etag") !== tag)
        fail("header:etag", `the ETag of GET on HEAD, ${tag}`, head.header("etag") ?? "none");
      expectStatus(await api.request({ method: "HEAD", target, headers: [["If-None-Match", tag]] }), 304);
    }
  }),
];
