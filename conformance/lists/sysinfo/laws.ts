import { isIP } from "node:net";
import { hostname, release } from "node:os";
import type { Check } from "../../checks/check.ts";
import { fail } from "../../client/expect.ts";
import { type Success, successLaw } from "../../laws/success.ts";

/** Laws for every response of `sysinfo`, and for the landing page as JSON (D22, D27). */

const isSysinfo = ({ operation, json }: Success) => operation?.id === "sysinfo" && json !== null;
const isShown = (success: Success) =>
  isSysinfo(success) || (success.operation === null && success.place === "/" && success.json !== null);

/** The value of a member as text; the schema's law reports a missing one. */
const said = ({ json }: Success, name: string) => String(json?.[name] ?? "");

const says =
  (name: string, wanted: (success: Success) => string) =>
  (success: Success): void => {
    const value = said(success, name);
    if (value !== wanted(success)) fail(`body:/${name}`, `the ${name} ${wanted(success)}`, value || "none");
  };

/**
 * Maximum difference between `time` and the header `Date`, which has whole seconds and comes from the same machine or the proxy
 * in front of it.
 */
const TOLERANCE_MS = 5000;
/** Without a `Date` only our own clock and the time since the response are known. */
const OWN_CLOCK_TOLERANCE_MS = 120_000;

function now(success: Success): void {
  const time = said(success, "time");
  if (!time.endsWith("Z")) fail("body:/time", "a time in UTC", time || "none");
  const date = success.reply.header("date");
  // `Date` is truncated to whole seconds.
  const [wanted, most] = date ? [Date.parse(date) + 500, TOLERANCE_MS] : [Date.now(), OWN_CLOCK_TOLERANCE_MS];
  if (!(Math.abs(Date.parse(time) - wanted) <= most))
    fail("body:/time", `the time of the response, ${date ?? new Date().toISOString()}`, time);
}

function filled(success: Success): void {
  for (const [name, value] of Object.entries(success.json ?? {}))
    if (String(value).trim() === "") fail(`body:/${name}`, `a value as ${name}`, "a blank one");
  if (!/\d/.test(said(success, "runtime")))
    fail("body:/runtime", "a runtime with its version", said(success, "runtime") || "none");
}

/** Patterns of what is known only inside a machine. */
const TELLTALE = {
  "an operating system":
    /\b(linux|darwin|mac ?os|windows|win32|freebsd|ubuntu|debian|alpine|centos|fedora|x64|x86(_64)?|amd64|arm64|aarch64|musl|glibc)\b/i,
  "a path": /(^|[\s"'(=:,])\/[\w.]|\bfile:|\b[a-z]:\\|\\\\\w|~\/|node_modules/i,
  "a database": /\b(sqlite3?|postgres(ql)?|pgsql|mysql|mariadb|mongo(db)?|redis|knex)\b/i,
  "a host name":
    /\blocalhost\b|\.(local|localdomain|internal|lan|svc|cluster)\b|\bip-\d+-\d+|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12}\b/i,
  "a variable of the environment": /\b[A-Z][A-Z0-9_]{2,}=/,
};
/**
 * Names of the machine that this suite runs on: a target that shows them runs there too. Short ones, and bare numbers, may be
 * anything.
 */
const own = [hostname(), release()].filter((name) => name.length >= 6 && /[a-z]/i.test(name) && /[\d.-]/.test(name));

function nothingMore({ json }: Success): void {
  // The address is the caller's own.
  const { clientAddress: _, ...members } = json ?? {};
  for (const [name, value] of Object.entries(members).map(([name, value]) => [name, String(value)] as const)) {
    const [what] = Object.entries(TELLTALE).find(([, pattern]) => pattern.test(value)) ?? [];
    const found = what ?? (own.some((word) => value.includes(word)) ? "its own name or release" : undefined);
    if (found !== undefined) fail(`body:/${name}`, `nothing of the machine in ${name}`, `${found}: ${value}`);
  }
}

function address(success: Success): void {
  const value = said(success, "clientAddress");
  if (/^::ffff:/i.test(value)) fail("body:/clientAddress", "an IPv4 address without ::ffff:", value);
  if (isIP(value) === 0) fail("body:/clientAddress", "an IP address", value || "none");
}

/** A caller with several addresses may be seen at any of them, but never at an invented one. */
function notMadeUp(success: Success): void {
  const value = said(success, "clientAddress");
  const { fields: headers } = success.request;
  const field = headers.find(([name, text]) => name.toLowerCase() !== "host" && value !== "" && text.includes(value));
  if (field)
    fail("body:/clientAddress", "an address that the caller did not make up", `${value}, as in ${field.join(": ")}`);
}

export const sysinfoLaws: readonly Check[] = [
  successLaw(
    "sysinfo/status#every-response",
    isSysinfo,
    says("status", () => "Operational"),
  ),
  successLaw(
    "sysinfo/version#every-response",
    isSysinfo,
    says("version", ({ contract }) => contract.version),
  ),
  successLaw(
    "sysinfo/method#every-response",
    isSysinfo,
    says("requestMethod", ({ request }) => request.method),
  ),
  successLaw("sysinfo/members#every-response", isSysinfo, filled),
  successLaw("sysinfo/time#every-response", isShown, now),
  successLaw("sysinfo/nothing-more#every-response", isSysinfo, nothingMore),
  successLaw("sysinfo/client-address#every-response", isShown, address),
  successLaw("sysinfo/forwarded-for#every-response", isShown, notMadeUp),
];
