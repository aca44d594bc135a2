import type { Difference, Memory } from "../exchange.ts";
import { mediaTypesOf, pageItemOf } from "../oracle/contract.ts";
import { differs, excerpt, type Part } from "./difference.ts";
import { always, type Law, law } from "./law.ts";
import type { ParsedExchange } from "./parsed-exchange.ts";

const PACKAGE = "package's name";

/**
 * Details of an implementation. They are searched for where responses contain neither prose nor
 * users' texts. Every part of a pattern has a maximum length: otherwise a search in a long response
 * would read to the end from each possible start.
 */
const LEAKS = {
  "stack trace": [
    /\bat (?:async |new )?[\w.$<>[\] ]{0,200}\(?(?:\/|[A-Z]:\\)[^\s)"',]{0,500}:\d+/,
    /\bat (?:async |new )?[\w.$<>[\] ]{0,200}\(?(?:file|node|webpack):[^\s)"',]{0,500}:\d+/,
    /Traceback \(most recent call last\)|^[ \t]{0,20}File "[^"]{1,500}", line \d+/m,
    /goroutine \d+ \[|\bException in thread\b/,
  ],
  "source file": [/\w\.(?:[cm]?[jt]s|py|rb|go|java|php|rs|cs):\d+/],
  "error of the runtime": [
    /\b(?:Type|Reference|Range|Syntax|Aggregate)Error\b/,
    /\bCannot read propert|\bis not a function\b/,
  ],
  "folder of the machine": [
    /node_modules|node:internal/,
    /(?:^|[\s"'`(=[{,]|\w:)\/(?:usr|home|root|var|tmp|opt|app|srv|etc|work|proc|mnt)\/[\w.-]/m,
    /(?:^|[\s"'`(=[{,]|\w:)\/(?:Users|private)\/[\w.-]/m,
    /\b[A-Z]:\\{1,2}\w+|\bfile:\/\//,
  ],
  SQL: [
    /\bselect\s{1,20}(?:distinct\s{1,20})?[`"*][\s\S]{0,300}?\sfrom\s+[`"\w]/,
    /\bSELECT\s.{1,300}\sFROM\s/,
    /\b(?:INSERT\s{1,20}INTO|DELETE\s{1,20}FROM)\s{1,20}["`\w]/,
    /\b(?:insert\s{1,20}into|delete\s{1,20}from)\s{1,20}["`]/,
    /\bUPDATE\s{1,20}\S{1,100}\s{1,20}SET\b/i,
    /\b(?:create|alter|drop)\s+(?:table|index)\b/i,
  ],
  "driver's text": [
    /\bSQLITE_\w+|\bSQLSTATE\b|\bER_[A-Z_]{4,}|\bpg_\w+|\bP\d{4}\b.{0,300}prisma/,
    /\bconstraint failed\b|\bviolates \S{1,100} constraint\b/i,
    /\bduplicate (?:key|entry)\b|\bno such (?:table|column)\b/i,
    /\brelation "[^"]{0,100}" does not exist|\bdatabase is locked\b|\bsyntax error at or near\b/i,
    /\busers[._]\w{0,30}_?(?:unique|key|idx|index)\b/i,
    /\b(?:ECONNREFUSED|ECONNRESET|ENOENT|EACCES|ENOTFOUND|ETIMEDOUT|EPIPE)\b/,
    /\b(?:HPE_[A-Z_]+|ERR_[A-Z_]{4,})\b/,
    /\b(?:sqlite|postgres(?:ql)?|mysql|mongodb|redis):(?:\/\/|\/|\w)/i,
    /\bentity\.(?:too\.large|parse\.failed)\b/i,
  ],
  [PACKAGE]: [
    /(?<![\w-])(?:knex|koa|ajv|pino|sqlite3|fastify|express-\w+|undici|zod)(?![\w-])/i,
    /(?<![\w-])(?:sequelize|typeorm|prisma|mongoose)(?![\w-])/i,
    /(?<![\w-])(?:raw-body|co-body|body-parser|better-sqlite3|secure-json-parse)(?![\w-])/i,
    /(?<![\w-])(?:node-postgres|pg-(?:pool|protocol))(?![\w-])/i,
  ],
};

/**
 * Whether the body is searched: errors, and queries that need no input; not documents, which name
 * packages and paths, nor pages, whose texts users choose.
 */
function isSearched({ status, operation, contract }: ParsedExchange): boolean {
  if (status >= 400) return true;
  if (operation?.method !== "GET" || operation.pattern !== null) return false;
  const isPlain = mediaTypesOf(operation).length < 2 && pageItemOf(contract, operation) === null;
  return isPlain && Object.values(operation.input).every(({ required }) => !required);
}

/**
 * Fields with opaque values, which may contain anything by chance; the first two are never
 * searched, nor is the id in a body.
 */
const RANDOM = ["header:x-request-id", "header:etag"];
const OPAQUE = [...RANDOM, "header:link", "header:location", "header:content-security-policy"];
const REQUEST_ID = /"requestId"\s*:\s*"[^"]*"/g;

/**
 * The parts of a response without users' texts. In JSON, a line break is written `\\n` and a
 * quotation mark `\\"`.
 */
function searchedPartsOf(parsed: ParsedExchange): readonly Part[] {
  const isWhole = isSearched(parsed);
  const unread = isWhole ? RANDOM : OPAQUE;
  const text = isWhole ? parsed.text.replaceAll(REQUEST_ID, "") : "";
  const body = text.replaceAll("\\n", "\n").replaceAll('\\"', '"');
  return [...parsed.head.filter(([aspect]) => !unread.includes(aspect)), ["body", body]];
}

/** Longer parts are not remembered. */
const MOST_REMEMBERED = 1000;

function nothingLeaks(parsed: ParsedExchange, memory: Memory): Difference | null {
  const kind = parsed.status < 400 ? "of a success" : "of a rejection";
  const known = (aspect: string, text: string) => `searched: ${aspect} ${kind} ${text}`;
  // Nearly all responses consist of parts that were seen in earlier ones.
  const parts = searchedPartsOf(parsed).filter(
    ([aspect, text]) => !memory.has(known(aspect, text)),
  );
  const textOf = (some: typeof parts) => some.map(([, text]) => text).join("\n");
  // All parts at once: hardly any response has a leak.
  const [text, head] = [textOf(parts), textOf(parts.filter(([aspect]) => aspect !== "body"))];
  for (const [what, patterns] of Object.entries(LEAKS))
    for (const pattern of patterns) {
      // An operation may describe the server, and a document a package.
      const actual = pattern.exec(parsed.status < 400 && what === PACKAGE ? head : text)?.[0];
      if (actual === undefined) continue;
      const [aspect = "body"] = parts.find(([, part]) => pattern.test(part)) ?? [];
      return differs(
        aspect,
        `no ${what} in an answer`,
        `${excerpt(actual)} (status ${parsed.status})`,
      );
    }
  for (const [aspect, part] of parts)
    if (part.length <= MOST_REMEMBERED) memory.set(known(aspect, part), "");
  return null;
}

export const leakLaws: readonly Law[] = [law("errors/nothing-leaks", always, nothingLeaks)];
