/**
 * A generator of clients, or a client that reads the document at run time: its configuration, and the hand-written code for it.
 */
export interface CodeConsumer {
  readonly name: string;
  /** The command that generates, with its configuration as a file; null if nothing is generated. */
  readonly generate: {
    readonly words: readonly string[];
    readonly config?: readonly [file: string, text: string];
  } | null;
  /** A module that defines `list`, `create` and `document`; it can use `baseUrl`, `headers`, `data` and `definition`. */
  readonly calls: string;
}

const list = `{ "@": "user.list", limit: 1 }`;
const create = `{ "@": "user.create", data }`;
const readme = `{ "@": "docs.get.README" }`;

export const codeConsumers: readonly CodeConsumer[] = [
  {
    name: "openapi-typescript, openapi-fetch",
    generate: { words: ["openapi-typescript", "openapi.operations.yaml", "-o", "types.ts"] },
    calls: `
import createClient from "openapi-fetch";
import type { paths } from "./types.ts";
const client = createClient<paths>({ baseUrl, headers });
const list = async () => (await client.GET("/api/user.list/../", { params: { query: ${list} } })).data;
const create = async () => (await client.POST("/api/user.create/../", { body: ${create} })).data;
const document = async () => (await client.GET("/api/docs.get/../", { params: { query: ${readme} } })).data;
`,
  },
  {
    name: "@hey-api/openapi-ts",
    generate: {
      words: ["openapi-ts", "-f", "hey.config.ts"],
      config: [
        "hey.config.ts",
        `export default { input: "openapi.operations.yaml", output: "hey", plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"] };`,
      ],
    },
    calls: `
import { client } from "./hey/client.gen";
import { docsGet, userCreate, userList } from "./hey/sdk.gen";
client.setConfig({ baseUrl, headers });
const list = async () => (await userList({ query: ${list} })).data;
const create = async () => (await userCreate({ body: ${create} })).data;
const document = async () => (await docsGet({ query: ${readme} })).data;
`,
  },
  {
    name: "orval",
    generate: {
      words: ["orval", "--config", "orval.config.ts"],
      config: [
        "orval.config.ts",
        `export default { api: { input: "./openapi.operations.yaml", output: { target: "./orval.ts", client: "fetch", baseUrl: process.env.BASE } } };`,
      ],
    },
    calls: `
import { docsGet, userCreate, userList } from "./orval.ts";
const list = async () => (await userList(${list}, { headers })).data;
const create = async () => (await userCreate(${create}, { headers })).data;
const document = async () => (await docsGet(${readme})).data;
`,
  },
  {
    name: "kubb",
    generate: {
      words: ["kubb", "generate", "--config", "kubb.config.ts"],
      config: [
        "kubb.config.ts",
        `import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
export default defineConfig({ root: ".", input: { path: "./openapi.operations.yaml" }, output: { path: "./kubb" }, plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: "fetch" })] });`,
      ],
    },
    calls: `
import { docsGet, userCreate, userList } from "./kubb/index.ts";
const config = { baseURL: baseUrl, headers };
const list = () => userList(${list}, config);
// What it generates names no media type.
const create = () => userCreate(${create}, {}, { ...config, headers: { ...headers, "Content-Type": "application/json" } });
const document = () => docsGet(${readme}, {}, config);
`,
  },
  {
    name: "openapi-client-axios",
    generate: null,
    calls: `
import { OpenAPIClientAxios } from "openapi-client-axios";
const client = await new OpenAPIClientAxios({ definition, axiosConfigDefaults: { baseURL: baseUrl, headers } }).init();
const list = async () => (await client.userList(${list})).data;
const create = async () => (await client.userCreate(null, ${create})).data;
const document = async () => (await client.docsGet(${readme})).data;
`,
  },
  {
    name: "swagger-client",
    generate: null,
    calls: `
import SwaggerClient from "swagger-client";
definition.servers = [{ url: baseUrl }];
const authorizations = { KeyInHeader: headers["X-API-KEY"], PlatformInHeader: headers["X-PLATFORM"] };
const { apis } = await new SwaggerClient({ spec: definition, authorizations });
const list = async () => (await apis.users.userList(${list})).body;
const create = async () => (await apis.users.userCreate({}, { requestBody: ${create} })).body;
const document = async () => (await apis.docs.docsGet(${readme})).body;
`,
  },
];

/** The module that calls; the last line that it prints is its result. */
export const moduleOf = ({ calls }: CodeConsumer): string => {
  const imports = calls.match(/^import .*$/gm) ?? [];
  return `import { readFileSync } from "node:fs";
${imports.join("\n")}
const { BASE: baseUrl = "", API_KEY: key = "", EMAIL: email = "" } = process.env;
const headers = { "X-API-KEY": key, "X-PLATFORM": "web" };
const data = { name: "Ada Lovelace", email };
const definition = JSON.parse(readFileSync("openapi.operations.json", "utf8"));
${calls.replace(/^import .*\n/gm, "")}
const created = await create();
const { items } = await list();
console.log(JSON.stringify({ list: items.length === 1, create: created.email === email, document: (await document()).title === "Atpoint" }));
`;
};
