import { isIP } from "node:net";
import { hostname, release } from "node:os";
import {
  agree,
  bodyDifference,
  type Difference,
  differs,
  excerpt,
  firstOf,
  hasContent,
  hasObject,
  isOf,
  isSuccess,
  type Law,
  law,
  lists,
  type Memory,
  type ParsedExchange,
  stringOf,
} from "../../extension.ts";
import { pageDifference, unsafeDifference, visibleTextOf } from "../documents/html.ts";
import { addressesIn } from "./addresses.ts";

/**
 * Laws for every response of `sysinfo` and of the landing page, which shows the same (D22, D27,
 * D29), and of `test.health` (D28).
 */

const isSysinfo = isOf("sysinfo", hasObject);
const isLanding = (parsed: ParsedExchange) =>
  parsed.operation === null && hasContent(parsed) && parsed.place === "/";
const isLandingPage = (parsed: ParsedExchange) =>
  isLanding(parsed) && parsed.mediaType === "text/html";
const isDocument = (parsed: ParsedExchange) =>
  isSysinfo(parsed) || (isLanding(parsed) && !isLandingPage(parsed));
const isShown = (parsed: ParsedExchange) => isDocument(parsed) && parsed.object !== null;

/** The value of a member as text; the schema's law reports a missing one. */
const said = ({ object }: ParsedExchange, name: string) => stringOf(object?.[name] ?? "");

const says = (id: string, name: string, wanted: (parsed: ParsedExchange) => string) =>
  law(id, isSysinfo, (parsed) => {
    const [value, expected] = [said(parsed, name), wanted(parsed)];
    return value === expected
      ? null
      : differs(`body:/${name}`, `the ${name} ${expected}`, value || "none");
  });

/**
 * Maximum difference between `time` and the header `Date`, which has whole seconds and comes from
 * the same machine or the proxy in front of it.
 */
const TOLERANCE_MS = 5000;
/** Without a `Date` only the clock of the caller is known. */
const OWN_CLOCK_TOLERANCE_MS = 120_000;

function now(parsed: ParsedExchange, memory: Memory): Difference | null {
  const time = said(parsed, "time");
  if (!time.endsWith("Z")) return differs("body:/time", "a time in UTC", time || "none");
  const date = parsed.header("date");
  const { endedAt } = parsed.exchange;
  // `Date` is truncated to whole seconds.
  const [wanted, most] = date
    ? [Date.parse(date) + 500, TOLERANCE_MS]
    : [endedAt, OWN_CLOCK_TOLERANCE_MS];
  if (Math.abs(Date.parse(time) - wanted) > most)
    return differs(
      "body:/time",
      `the time of the response, ${date ?? new Date(endedAt).toISOString()}`,
      time,
    );
  return goesOn(parsed, memory, time);
}

/** The clocks of replicas may differ by this. */
const STILL_MS = 2000;

/**
 * Whether the clock goes on: since the latest time, by the `Date` of both responses. When a request
 * was sent is not known of those that are sent ahead.
 */
function goesOn(parsed: ParsedExchange, memory: Memory, time: string): Difference | null {
  const known = "the latest time of sysinfo, and its Date";
  const date = Date.parse(parsed.header("date") ?? "");
  const [latest = "", received = ""] = memory.get(known)?.split(" ") ?? [];
  if (latest === "" || (time !== latest && date > Number(received)))
    memory.set(known, `${time} ${date}`);
  const since = date - Number(received);
  const isStill = time === latest && since >= STILL_MS;
  const isBack = since > STILL_MS && Date.parse(time) < Date.parse(latest) - STILL_MS;
  if (latest === "" || !(isStill || isBack)) return null;
  return differs("body:/time", `a time after ${latest}, ${since} ms later`, time);
}

function filled(parsed: ParsedExchange): Difference | null {
  const [blank] =
    Object.entries(parsed.object ?? {}).find(([, value]) => stringOf(value).trim() === "") ?? [];
  if (blank !== undefined) return differs(`body:/${blank}`, `a value as ${blank}`, "a blank one");
  const runtime = said(parsed, "runtime");
  return /\d/.test(runtime)
    ? null
    : differs("body:/runtime", "a runtime with its version", runtime || "none");
}

/** Patterns of what is known only inside a machine. */
const TELLTALE = {
  "an operating system":
    /\b(linux|darwin|mac ?os|windows|win32|freebsd|ubuntu|debian|alpine|centos|fedora)\b/i,
  "an architecture": /\b(x64|x86(_64)?|amd64|arm64|aarch64|musl|glibc)\b/i,
  "a path": /(^|[\s"'(=:,])\/[\w.]|\bfile:|\b[a-z]:\\|\\\\\w|~\/|node_modules/i,
  "a database": /\b(sqlite3?|postgres(ql)?|pgsql|mysql|mariadb|mongo(db)?|redis|knex)\b/i,
  "a host name": /\blocalhost\b|\.(local|localdomain|internal|lan|svc|cluster)\b|\bip-\d+-\d+/i,
  "the name of a container": /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12}\b/i,
  "a variable of the environment": /\b[A-Z][A-Z0-9_]{2,}=/,
};
/**
 * Names of the machine that this suite runs on: a target that shows them runs there too. Short
 * ones, and bare numbers, may be anything.
 */
const OWN = [hostname(), release()].filter(
  (name) => name.length >= 6 && /[a-z]/i.test(name) && /[\d.-]/.test(name),
);

/** The address is the caller's own. */
const nothingMore = ({ object }: ParsedExchange) =>
  firstOf(Object.entries(object ?? {}), ([name, value]) => {
    const text = name === "clientAddress" ? "" : stringOf(value);
    const [what] = Object.entries(TELLTALE).find(([, pattern]) => pattern.test(text)) ?? [];
    const actual =
      what ?? (OWN.some((word) => text.includes(word)) ? "its own name or release" : undefined);
    return actual === undefined
      ? null
      : differs(
          `body:/${name}`,
          `nothing of the machine in ${name}`,
          `${actual}: ${excerpt(text)}`,
        );
  });

function address(parsed: ParsedExchange): Difference | null {
  const value = said(parsed, "clientAddress");
  if (/^::ffff:/i.test(value))
    return differs("body:/clientAddress", "an IPv4 address without ::ffff:", value);
  return isIP(value) === 0
    ? differs("body:/clientAddress", "an IP address", value || "none")
    : null;
}

/** A caller with several addresses may be seen at any of them, but never at an invented one. */
function notMadeUp(parsed: ParsedExchange): Difference | null {
  const value = said(parsed, "clientAddress");
  const isIn = ([name, text]: readonly [string, string]) =>
    name.toLowerCase() !== "host" && text.includes(value);
  const field = value === "" ? undefined : parsed.request.fields.find(isIn);
  if (!field) return null;
  const expected = "an address that the caller did not make up";
  return differs("body:/clientAddress", expected, `${value}, as in ${field.join(": ")}`);
}

const ADDRESSES = "the addresses of the caller";

/** The addresses at which `sysinfo` has seen this caller: there may be several. */
function callerAt(memory: Memory, parsed: ParsedExchange): readonly string[] {
  const known = (memory.get(ADDRESSES) ?? "").split(" ").filter(Boolean);
  const all = isSysinfo(parsed) ? [...new Set([...known, said(parsed, "clientAddress")])] : known;
  memory.set(ADDRESSES, all.join(" "));
  return all;
}

/** Everything that is not specific to one request is the same as in `sysinfo`. */
function sameAsSysinfo(parsed: ParsedExchange, memory: Memory): Difference | null {
  const { contract, json } = parsed;
  const { sysinfo } = contract.operations;
  const [documented] = sysinfo?.responses ?? [];
  if (parsed.mediaType !== "application/json")
    return differs("header:content-type", "application/json", parsed.shown);
  if (json === undefined) return differs("body", "one JSON text in UTF-8", parsed.shown);
  const difference =
    (sysinfo && documented && bodyDifference(contract, sysinfo, documented.schema, json)) ??
    firstOf(["status", "version", "server", "runtime", "requestMethod"], (name) =>
      agree(memory, `the ${name} of sysinfo`, said(parsed, name), `body:/${name}`),
    );
  if (difference) return difference;
  const known = callerAt(memory, parsed);
  const seen = said(parsed, "clientAddress");
  if (known.length === 0 || known.includes(seen)) return null;
  return differs(
    "body:/clientAddress",
    `the clientAddress of sysinfo, ${known.join(" or ")}`,
    seen,
  );
}

const SHOWN = ["server", "runtime", "requestMethod"];
const [PAGE, SYSINFO] = ["the text of the landing page", "the members of sysinfo"] as const;

/** The page shows what `sysinfo` reports. */
function showsSysinfo(parsed: ParsedExchange, memory: Memory): Difference | null {
  if (isLandingPage(parsed)) memory.set(PAGE, visibleTextOf(parsed).slice(0, 10_000));
  else memory.set(SYSINFO, JSON.stringify(SHOWN.map((name) => [name, said(parsed, name)])));
  const known = callerAt(memory, parsed);
  const [text, members] = [memory.get(PAGE), memory.get(SYSINFO)];
  if (text === undefined || members === undefined) return null;
  const all: readonly (readonly [string, string])[] = JSON.parse(members);
  const absent = all.find(([, value]) => !value.split(/\s+/).every((word) => text.includes(word)));
  if (absent)
    return differs("body", `the ${absent[0]} of sysinfo, ${absent[1]}, on the page`, excerpt(text));
  const shown = addressesIn(text);
  if (shown.length === 0 || shown.some((one) => known.includes(one))) return null;
  return differs(
    "body",
    `the clientAddress of sysinfo, ${known.join(" or ")}, on the page`,
    shown.join(", "),
  );
}

/** A health document with the status 200. */
function passes({ object }: ParsedExchange): Difference | null {
  const { status, checks } = object ?? {};
  if (status !== "pass") return differs("body:/status", "pass with status 200", stringOf(status));
  if (Object.values(Object(checks)).every((result) => result === "pass")) return null;
  return differs(
    "body:/checks",
    "every check passed, since the status is pass",
    excerpt(JSON.stringify(checks)),
  );
}

const showsVersion = (parsed: ParsedExchange) => {
  const text = visibleTextOf(parsed);
  const missing = ["Operational", parsed.contract.version].filter((word) => !text.includes(word));
  return missing.length === 0
    ? null
    : differs("body", `${missing.join(" and ")} on the page`, excerpt(text));
};

export const systemLaws: readonly Law[] = [
  says("sysinfo/status", "status", () => "Operational"),
  says("sysinfo/version", "version", ({ contract }) => contract.version),
  says("sysinfo/method", "requestMethod", ({ request }) => request.method),
  law("sysinfo/members", isSysinfo, filled),
  law("sysinfo/time", isShown, now),
  law("sysinfo/nothing-more", isSysinfo, nothingMore),
  law("sysinfo/client-address", isShown, address),
  law("sysinfo/forwarded-for", isShown, notMadeUp),
  law("landing/html", isLandingPage, pageDifference),
  law("landing/safe", isLandingPage, unsafeDifference),
  law("landing/json", isDocument, sameAsSysinfo),
  law("landing/as-sysinfo", (parsed) => isLandingPage(parsed) || isSysinfo(parsed), showsSysinfo),
  law("landing/status-and-version", isLandingPage, showsVersion),
  law("landing/shows", isLandingPage, showsSysinfo),
  law("test.health/document", isOf("test.health", hasObject), passes),
  law("test.health/fresh", isOf("test.health", isSuccess), lists("Cache-Control", "no-store")),
];
