import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { jsonAnswer, namedIn } from "../../look.ts";
import { withJson } from "../../shape.ts";
import { changed, document, FILES, type File, OPERATIONS, text, variant, WIRE, without } from "./hooks.ts";

const JSONS = [WIRE, OPERATIONS] as const;
const YAMLS = ["openapi.yaml", "openapi.operations.yaml"] as const;
const versionOf = (file: File) => `contract/version#${variant(file)}`;
const serversOf = (file: File) => `contract/servers#${variant(file)}`;
const servers = (file: File, value: unknown) => document(file, (json) => ({ ...json, servers: value }));

const ADDRESSES: readonly (readonly [id: string, description: string, url: string])[] = [
  ["placeholder", "the placeholder of the spec", "https://one.invalid"],
  ["relative", "a relative address", "/"],
  ["template", "a template", "https://{host}/"],
  ["bare-host", "a host without a scheme", "api.example.com"],
  ["other-scheme", "a file", "file:///srv/atpoint"],
  ["undefined", "nothing, put into a text", "undefined"],
];

export const serverDefects: readonly Defect[] = [
  ...JSONS.map((file) =>
    caught(
      `contract/stale-version-in-${variant(file)}`,
      `Has an older version in ${file}.`,
      [versionOf(file)],
      /3\.0\.3/,
      document(file, (json) => changed(json, ["info", "version"], () => "3.0.2")),
    ),
  ),
  ...YAMLS.map((file) =>
    caught(
      `contract/stale-version-in-${variant(file)}`,
      `Has an older version in ${file}.`,
      [versionOf(file)],
      /3\.0\.3/,
      text([file], (yaml) => yaml.replace(/^( +version:).*/m, "$1 3.0.2")),
    ),
  ),
  caught(
    "contract/without-version",
    "Has no version.",
    FILES.map(versionOf),
    /the version of sysinfo/,
    text(FILES, (content) => content.replace(/"?version"?: "?[\d.]+"?,?/, "")),
  ),
  ...ADDRESSES.flatMap(([id, description, url]) => [
    ...JSONS.map((file) =>
      caught(
        `contract/${id}-in-${variant(file)}`,
        `Has ${description} in the servers of ${file}.`,
        [serversOf(file), "contract/servers#agree"],
        /servers/,
        servers(file, [{ url }]),
      ),
    ),
    ...YAMLS.map((file) =>
      caught(
        `contract/${id}-in-${variant(file)}`,
        `Has ${description} in the servers of ${file}.`,
        [serversOf(file), "contract/servers#agree"],
        /servers/,
        text([file], (yaml) => yaml.replace(/^(servers:[\s\S]*?url:) http\S*/m, `$1 "${url}"`)),
      ),
    ),
  ]),
  caught(
    "contract/second-placeholder",
    "Leaves the placeholder of the second deployment.",
    [serversOf(WIRE), serversOf(OPERATIONS)],
    /servers/,
    {
      answer: async (answer, request, context) => {
        const added = (file: File) =>
          document(file, (json) => ({
            ...json,
            servers: [...(Array.isArray(json.servers) ? json.servers : []), { url: "https://two.invalid" }],
          }));
        return added(OPERATIONS).answer(await added(WIRE).answer(answer, request, context), request, context);
      },
    },
  ),
  caught(
    "contract/placeholder-in-an-example",
    "Leaves a placeholder in an example of the contract.",
    ["contract/no-placeholders"],
    /one\.invalid/,
    text(["openapi.operations.yaml"], (yaml) =>
      yaml.replace(/https?:\S+(?=\/api\/\?@=docs\.get\.problems)/, "https://one.invalid"),
    ),
  ),
  caught(
    "contract/placeholder-in-a-document",
    "Leaves a placeholder in a document.",
    ["contract/no-placeholders"],
    /two\.invalid in .*problems/,
    {
      answer: (answer, request) =>
        namedIn(request) === "docs.get.problems" && jsonAnswer(answer) !== null
          ? withJson(answer, (json) => ({
              ...json,
              content: String(json.content).replace(/https?:[^\s"]+/, "https://two.invalid"),
            }))
          : answer,
    },
  ),
  caught("contract/no-servers", "Has no servers.", [serversOf(WIRE)], /servers; got none/, servers(WIRE, [])),
  caught(
    "contract/without-servers",
    "Leaves servers out.",
    [serversOf(OPERATIONS)],
    /servers; got none/,
    document(OPERATIONS, (json) => without(json, "servers")),
  ),
  caught(
    "contract/without-servers-in-yaml",
    "Leaves servers out of the YAML.",
    YAMLS.map(serversOf),
    /servers; got none/,
    text(YAMLS, (yaml) => yaml.replace(/^servers:/m, "x-servers:")),
  ),
  caught(
    "contract/other-servers",
    "Has other servers in one of the documents.",
    ["contract/servers#agree"],
    /the servers of \/openapi\.json/,
    servers(OPERATIONS, [{ url: "https://staging.example.com" }]),
  ),
];
