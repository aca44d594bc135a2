// Consumers of the published documents: each generates its client, and really calls a started service.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type RunningService, startService } from "../../conformance/test/service.test-kit.ts";
import { postmanCollection } from "../postman.ts";
import { type CodeConsumer, codeConsumers, moduleOf } from "./code.ts";

/** Whether a GET with an input, a POST and `docs.get` got the right responses. */
interface Outcome {
  readonly list: boolean;
  readonly create: boolean;
  readonly document: boolean;
}
const NOTHING: Outcome = { list: false, create: false, document: false };

const bin = (name: string) => join(import.meta.dirname, "node_modules/.bin", name);
const folder = await mkdtemp(join(import.meta.dirname, ".run-"));
const service: RunningService = await startService();
const key = service.credentials.full.key;

async function run(cwd: string, [command = "", ...words]: readonly string[], email = ""): Promise<string> {
  const env = { ...process.env, BASE: service.url, API_KEY: key, EMAIL: email, NO_COLOR: "1" };
  return (await promisify(execFile)(bin(command), words, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
}

async function runCode(consumer: CodeConsumer): Promise<Outcome> {
  const cwd = await mkdtemp(join(folder, "code-"));
  for (const file of ["openapi.operations.yaml", "openapi.operations.json"])
    await writeFile(join(cwd, file), await (await fetch(`${service.url}/${file}`)).text());
  await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
  if (consumer.generate?.config) await writeFile(join(cwd, consumer.generate.config[0]), consumer.generate.config[1]);
  if (consumer.generate) await run(cwd, consumer.generate.words);
  await writeFile(join(cwd, "calls.ts"), moduleOf(consumer));
  const printed = await run(cwd, ["tsx", "calls.ts"], `${cwd.slice(-6).toLowerCase()}@example.com`);
  return { ...NOTHING, ...JSON.parse(printed.trim().split("\n").pop() ?? "{}") };
}

/** Prism in front of the service, or instead of it, with the document of the wire. */
async function runPrism(words: readonly string[]): Promise<Outcome> {
  const document = join(folder, "openapi.yaml");
  await writeFile(document, await (await fetch(`${service.url}/openapi.yaml`)).text());
  const [mode = "", ...more] = words;
  const prism = spawn(bin("prism"), [mode, "--port", "4499", document, ...more], { stdio: ["ignore", "pipe", "pipe"] });
  try {
    await said(prism, "listening");
    const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
    // There is one path, so the mock needs the name of the example to send; a proxy ignores it.
    const call = async (id: string, query: string, body: string | null = null) =>
      JSON.parse(
        await (
          await fetch(`http://127.0.0.1:4499/api/${query}`, {
            method: body === null ? "GET" : "POST",
            headers: { ...headers, Prefer: `example=${id}` },
            body,
          })
        ).text(),
      );
    const data = { name: "Ada Lovelace", email: `prism-${mode}@example.com` };
    const created = await call("user.create", "", JSON.stringify({ "@": "user.create", data }));
    const listed = await call("user.list", "?@=user.list&limit=1");
    const { title } = await call("docs.get", "?@=docs.get.README");
    return { list: listed.items?.length === 1, create: "createdAt" in created, document: title === "Atpoint" };
  } finally {
    prism.kill();
    await once(prism, "exit");
  }
}

async function said(child: ChildProcess, word: string): Promise<void> {
  if (!child.stdout) throw new Error("no output to read");
  for await (const line of createInterface({ input: child.stdout })) if (line.includes(word)) return;
  throw new Error(`ended without saying ${word}`);
}

/** The Postman collection of this project, by newman: every call must have the expected status. */
async function runNewman(): Promise<Outcome> {
  const [file, report] = [join(folder, "postman.json"), join(folder, "report.json")];
  await writeFile(file, JSON.stringify(postmanCollection("Atpoint", service.url)));
  const words = ["newman", "run", file, "--env-var", `apiKey=${key}`, "--reporters", "json"];
  await run(folder, [...words, "--reporter-json-export", report]);
  const { run: ran } = JSON.parse(await readFile(report, "utf8"));
  const passed = (name: string): boolean =>
    ran.executions.some(
      ({ item, assertions }: { item: { name: string }; assertions: { error?: unknown }[] }) =>
        item.name === name && assertions.length > 0 && assertions.every(({ error }) => error === undefined),
    );
  return { list: passed("user.list"), create: passed("user.create"), document: passed("docs.get.{name}") };
}

const consumers: readonly (readonly [name: string, run: () => Promise<Outcome>])[] = [
  ...codeConsumers.map((one) => [one.name, () => runCode(one)] as const),
  ["@stoplight/prism-cli, mock", () => runPrism(["mock"])],
  ["@stoplight/prism-cli, proxy", () => runPrism(["proxy", service.url, "--errors"])],
  ["newman", runNewman],
];

const { dependencies } = JSON.parse(await readFile(join(import.meta.dirname, "package.json"), "utf8"));
/** Each package of a name with its version. */
const versioned = (name: string) =>
  name.replace(/[@\w/-]+/g, (word) => {
    const version = dependencies[word] ?? dependencies[`@${word}/cli`];
    return version === undefined ? word : `${word} ${version}`;
  });

console.log("| Consumer | GET with input | POST | `docs.get` |\n| --- | --- | --- | --- |");
let failed = false;
for (const [name, consume] of consumers) {
  const outcome = await consume().catch((error: Error) => {
    console.error(`${name}: ${error.message}`);
    return NOTHING;
  });
  const cells = [outcome.list, outcome.create, outcome.document];
  failed ||= cells.includes(false);
  console.log(`| ${versioned(name)} | ${cells.map((good) => (good ? "works" : "FAILS")).join(" | ")} |`);
}
await service.stop();
await rm(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;
