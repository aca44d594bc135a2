// A call as code, for the reference page: with curl, and with the clients for TypeScript, Python and Go. No code has a key in it.

const json = JSON.stringify;
const spread = (members, open, close) => (members.length === 0 ? open + close : `${open}${members.join(", ")}${close}`);
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function typescript(value) {
  if (Array.isArray(value)) return spread(value.map(typescript), "[", "]");
  if (typeof value !== "object" || value === null) return json(value);
  const members = Object.entries(value).map(
    ([name, own]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : json(name)}: ${typescript(own)}`,
  );
  return spread(members, "{ ", " }").replace("{  }", "{}");
}

function python(value) {
  if (Array.isArray(value)) return spread(value.map(python), "[", "]");
  if (typeof value === "object" && value !== null)
    return spread(
      Object.entries(value).map(([name, own]) => `${json(name)}: ${python(own)}`),
      "{",
      "}",
    );
  return { null: "None", true: "True", false: "False" }[String(json(value))] ?? json(value);
}

function go(value) {
  if (Array.isArray(value)) return spread(value.map(go), "[]any{", "}");
  if (typeof value === "object" && value !== null)
    return spread(
      Object.entries(value).map(([name, own]) => `${json(name)}: ${go(own)}`),
      "map[string]any{",
      "}",
    );
  return value === null ? "nil" : json(value);
}

/** What a client takes in addition to name and input. */
const optionsOf = ({ accept, headers }) =>
  Object.entries({ accept, idempotencyKey: headers["Idempotency-Key"] }).filter(([, value]) => value !== undefined);

/** The headers that only curl can send, as a comment. */
function unsent({ headers }, mark) {
  const names = Object.keys(headers).filter((name) => name !== "Idempotency-Key");
  return names.length === 0 ? "" : `${mark} Without ${names.join(" and ")}, which the client does not send.\n`;
}

const about = ({ base }, mark) => `${mark} The client: ${base}/api/?@=docs.get.clients\n`;

/**
 * By language, the code of a call: `base`, `name`, `query` (text by name, for GET) or `body` (text, for POST), `input` (undefined if
 * the body is not JSON), `platform` (undefined if the operation is public), `accept` (undefined for JSON), `headers`.
 */
export const SNIPPETS = {
  curl({ base, query, body, platform, accept, headers }) {
    const words = Object.entries(query ?? {}).map(([name, value]) =>
      name === "@" ? `@=${encodeURIComponent(value)}` : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    );
    const own = { ...headers, ...(accept && { Accept: accept }), ...(body && { "Content-Type": "application/json" }) };
    const lines = [
      `curl ${shell(`${base}/api/${query ? `?${words.join("&")}` : ""}`)}`,
      ...(platform === undefined ? [] : [`-H "X-API-KEY: $API_KEY" -H ${shell(`X-PLATFORM: ${platform}`)}`]),
      ...Object.entries(own).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
      ...(body ? [`-d ${shell(body)}`] : []),
    ];
    return lines.join(" \\\n  ");
  },
  TypeScript(call) {
    const { base, name, input, platform } = call;
    const credentials = platform === undefined ? "" : `, apiKey: process.env.API_KEY, platform: ${json(platform)}`;
    const options = optionsOf(call);
    const words = [json(name)];
    if (Object.keys(input).length > 0 || options.length > 0) words.push(typescript(input));
    if (options.length > 0) words.push(typescript(Object.fromEntries(options)));
    return `${about(call, "//")}${unsent(call, "//")}import { createClient } from "atpoint/client";

const client = createClient({ baseUrl: ${json(base)}${credentials} });
console.log(await client.call(${words.join(", ")}));`;
  },
  Python(call) {
    const { base, name, input, platform } = call;
    const credentials = platform === undefined ? "" : `, os.environ["API_KEY"], ${json(platform)}`;
    const options = optionsOf(call).map(
      ([option, value]) => `${option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}=${json(value)}`,
    );
    const words = [json(name), ...(Object.keys(input).length > 0 ? [python(input)] : []), ...options];
    return `${about(call, "#")}${unsent(call, "#")}${credentials && "import os\n"}from atpoint import Client

client = Client(${json(base)}${credentials})
print(client.call(${words.join(", ")}))`;
  },
  Go(call) {
    const { base, name, input, platform, accept } = call;
    const credentials = platform === undefined ? "" : `, APIKey: os.Getenv("API_KEY"), Platform: ${json(platform)}`;
    const options = optionsOf(call).map(
      ([option, value]) => `atpoint.${option.replace(/^./, (letter) => letter.toUpperCase())}(${json(value)})`,
    );
    const given = Object.keys(input).length > 0 ? go(input) : "nil";
    const words = ["context.Background()", json(name), given, "&answer", ...options];
    return `${about(call, "//")}${unsent(call, "//")}client := atpoint.Client{BaseURL: ${json(base)}${credentials}}
var answer ${accept ? "string" : "map[string]any"}
err := client.Call(${words.join(", ")})
fmt.Println(answer, err)`;
  },
};
