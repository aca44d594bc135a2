import type { Command } from "commander";
import { type MemberType, operations } from "../../generated/operations.ts";
import { AtpointError, createClient } from "../client/client.ts";
import { ownUrl, readConfig } from "../config.ts";
import { errorFacts } from "../log/error-facts.ts";
import { InputFault, SafeError } from "../log/safe-error.ts";
import type { OperationFacts } from "../protocol/operation-table.ts";
import { table } from "./table.ts";
import type { Terminal } from "./terminal.ts";

/** `call`: calls an operation of any deployment with the client. The response goes to standard output, a rejection to standard error. */
export function addCallCommand(program: Command, { env, stdout }: Terminal): void {
  program
    .command("call")
    .description("call an operation: call user.list limit=5; API_KEY and PLATFORM are read from the environment")
    .argument("<operation>", "as docs.get.reference names it")
    .argument("[inputs...]", "name=value")
    .option("--url <url>", "the deployment, without /api/; else the one that is configured here")
    .option("--json", "print the response unchanged, instead of a table")
    .action(async (name: string, words: string[], { url, json }: { url?: string; json?: true }) => {
      const operation = operationOf(name);
      const input = inputOf(operation, words);
      const text = json ? undefined : operation.answers[0]?.mediaTypes.find((type) => type.startsWith("text/"));
      const { host, port } = url === undefined ? readConfig(env) : { host: "", port: 0 };
      const settings = { baseUrl: url ?? ownUrl(host, port), apiKey: env.API_KEY, platform: env.PLATFORM };
      if (!URL.canParse(settings.baseUrl) || !/^https?:/i.test(settings.baseUrl))
        throw new InputFault("--url takes an address: https://api.example.com");
      judgeCredentials(settings.apiKey, settings.platform);
      // Proof: the name is one of the table, and the service validates its inputs.
      const call = createClient(settings).call as (...words: unknown[]) => Promise<unknown>;
      const answer = await call(name, input, text && { accept: text }).catch((error) => {
        throw error instanceof AtpointError ? new SafeError(failureOf(error, settings.baseUrl)) : error;
      });
      stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : answerText(answer));
    });
}

/** A value that no header can hold makes `fetch` report a network failure. */
function judgeCredentials(...values: (string | undefined)[]): void {
  try {
    for (const value of values) new Headers({ value: value ?? "" });
  } catch {
    throw new InputFault(
      "API_KEY or PLATFORM has a character that cannot be sent: a line break, or one beyond Latin-1.",
    );
  }
}

function operationOf(name: string): OperationFacts {
  const all: readonly OperationFacts[] = Object.values(operations);
  const operation = all.find((one) => (one.pattern === null ? one.name === name : RegExp(one.pattern).test(name)));
  if (operation) return operation;
  throw new InputFault(`No operation has the name "${name}"; there are: ${all.map((one) => one.name).join(", ")}.`);
}

/** `limit=5` by the types of the contract. A value of another type is sent unchanged: the service explains best what is wrong with it. */
function inputOf(operation: OperationFacts, words: readonly string[]): Record<string, unknown> {
  const given = new Set<string>();
  return Object.fromEntries(
    words.map((word) => {
      const [, member = "", text = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      const type = Object.hasOwn(operation.input, member) ? operation.input[member]?.type : undefined;
      const names = Object.keys(operation.input).map((name) => `${name}=…`);
      if (!type) throw new InputFault(`"${word}" is no input; ${operation.name} takes ${names.join(", ") || "none"}.`);
      if (given.has(member)) throw new InputFault(`${member}=… is given more than once.`);
      given.add(member);
      return [member, operation.method === "GET" ? text : jsonOf(type, text)];
    }),
  );
}

function jsonOf(type: MemberType, text: string): unknown {
  if (type === "string") return text;
  if (type === "strings") return text.split(",");
  const json = type === "integers" ? `[${text}]` : text;
  try {
    return JSON.parse(json);
  } catch {
    return text;
  }
}

function failureOf({ operation, kind, message, cause, errors = [], requestId }: AtpointError, baseUrl: string): string {
  const { code } = errorFacts(cause instanceof Error ? cause.cause : undefined);
  if (kind === "network" || kind === "timeout") {
    const { origin, pathname } = new URL(baseUrl);
    const why = code ?? (kind === "timeout" ? "it took too long" : undefined);
    return `${operation}: ${origin}${pathname.replace(/\/$/, "")} did not respond${why ? ` (${why})` : ""}`;
  }
  const faults = errors.map(({ pointer, parameter, detail }) => `  ${pointer ?? parameter}: ${detail}`);
  const request = requestId ? [`  request ${requestId}`] : [];
  return [message, ...faults, ...request].join("\n");
}

const cell = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A response for people: a list as a table, any other object as one member per line, a text unchanged. */
export function answerText(answer: unknown): string {
  if (typeof answer === "string") return answer.endsWith("\n") ? answer : `${answer}\n`;
  if (!isObject(answer)) return `${JSON.stringify(answer)}\n`;
  const { items, ...others } = answer;
  const rest = table(
    Object.entries(Array.isArray(items) ? others : answer).map(([name, value]) => [name, cell(value)]),
  );
  if (!Array.isArray(items)) return rest;
  const rows = items.filter(isObject);
  if (rows.length === 0) return `There are none.\n${rest}`;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const listed = table([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]);
  return rest === "" ? listed : `${listed}\n${rest}`;
}
