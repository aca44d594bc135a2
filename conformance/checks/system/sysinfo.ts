import { hostname, release } from "node:os";
import { contract } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectAccepted, expectObject, expectSuccess, fail } from "../../client/expect.ts";
import { memberIn } from "../../client/reply.ts";
import { check } from "../check.ts";

/** One member of what it says; the others are judged by their own checks. */
async function said(api: Api, name: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const reply = await api.call("sysinfo", { headers });
  return memberIn(reply.body, name) ?? fail(`body:/${name}`, `a text as ${name}`, describe(reply));
}

async function expectSaid(api: Api, name: string, wanted: string, headers: Readonly<Record<string, string>> = {}) {
  const value = await said(api, name, headers);
  if (value !== wanted) fail(`body:/${name}`, `the ${name} ${wanted}`, value);
}

/** How far `time` and the header `Date`, in whole seconds and from the same machine or the proxy before it, may be apart. */
const TOLERANCE_MS = 5000;
/** Without a `Date` there is only our own clock. */
const OWN_CLOCK_TOLERANCE_MS = 120_000;
/** Between two replicas of one deployment. */
const SKEW_MS = 1000;
/** In which a clock that shows milliseconds must have moved. */
const MOVED_MS = 40;

/** What only the inside of a machine knows, by what it looks like. */
const TELLTALE: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    "an operating system",
    /\b(linux|darwin|mac ?os|windows|win32|freebsd|ubuntu|debian|alpine|centos|fedora|x64|x86(_64)?|amd64|arm64|aarch64|musl|glibc)\b/i,
  ],
  ["a path", /(^|[\s"'(=:,])\/[\w.]|\bfile:|\b[a-z]:\\|\\\\\w|~\/|node_modules/i],
  ["a database", /\b(sqlite3?|postgres(ql)?|pgsql|mysql|mariadb|mongo(db)?|redis|knex)\b/i],
  [
    "a host name",
    /\blocalhost\b|\.(local|localdomain|internal|lan|svc|cluster)\b|\bip-\d+-\d+|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12}\b/i,
  ],
  ["a variable of the environment", /\b[A-Z][A-Z0-9_]{2,}=/],
];

/** Of the machine that this suite runs on: a target that shows it runs there too. Short ones, and bare numbers, may be anything. */
const own = [hostname(), release()].filter((name) => name.length >= 6 && /[a-z]/i.test(name) && /[\d.-]/.test(name));

/** `sysinfo` (G3, G4, G6, D27). */
export const sysinfo = [
  check("sysinfo/json", {}, async (api) => {
    expectAccepted(await api.call("sysinfo"));
  }),
  check("sysinfo/status", {}, (api) => expectSaid(api, "status", "Operational")),
  check("sysinfo/version", {}, (api) => expectSaid(api, "version", contract.version)),
  // There is no version selector (D33).
  check("sysinfo/version#whatever-is-asked-for", {}, (api) => {
    const names = ["Accept-Version", "X-API-Version", "API-Version", "Version"];
    return expectSaid(api, "version", contract.version, Object.fromEntries(names.map((name) => [name, "1.0.0"])));
  }),
  check("sysinfo/members", {}, async (api) => {
    const members = expectSuccess(await api.call("sysinfo"), "sysinfo");
    for (const [name, value] of Object.entries(members))
      if (value.trim() === "") fail(`body:/${name}`, `a value as ${name}`, "a blank one");
    if (!/\d/.test(members.runtime)) fail("body:/runtime", "a runtime with its version", members.runtime);
  }),
  check("sysinfo/method", {}, async (api) => {
    await expectSaid(api, "requestMethod", "GET");
    const names = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"];
    await expectSaid(api, "requestMethod", "GET", Object.fromEntries(names.map((name) => [name, "POST"])));
  }),
  check("sysinfo/time#now", {}, async (api) => {
    const reply = await api.call("sysinfo");
    const time = memberIn(reply.body, "time") ?? "none";
    if (!time.endsWith("Z")) fail("body:/time", "a time in UTC", time);
    const date = Date.parse(reply.header("date") ?? "");
    const known = !Number.isNaN(date);
    // `Date` is cut to whole seconds.
    const apart = Math.abs(Date.parse(time) - (known ? date + 500 : Date.now()));
    if (!(apart <= (known ? TOLERANCE_MS : OWN_CLOCK_TOLERANCE_MS)))
      fail("body:/time", `the time of the answer, ${known ? reply.header("date") : new Date().toISOString()}`, time);
  }),
  check("sysinfo/time#moves", {}, async (api) => {
    const first = await said(api, "time");
    const start = performance.now();
    for (let time = first; time === first; ) {
      // A clock of whole seconds may well stand still for so long.
      if (performance.now() - start > MOVED_MS && !/\.0+Z$|:\d\dZ$/.test(time))
        fail("body:/time", "a time that moves on", `${time} again after ${MOVED_MS} ms`);
      if (performance.now() - start > MOVED_MS) return;
      time = await said(api, "time");
      // Two replicas may have clocks a little apart.
      if (Date.parse(time) < Date.parse(first) - SKEW_MS) fail("body:/time", `a time after ${first}`, time);
    }
  }),
  check("sysinfo/nothing-more", {}, async (api) => {
    const reply = await api.call("sysinfo");
    // The address is the caller's own.
    const { clientAddress: _, ...members } = expectObject(reply.json());
    for (const [name, value] of Object.entries(members).map(([name, value]) => [name, String(value)] as const)) {
      const [what] = TELLTALE.find(([, pattern]) => pattern.test(value)) ?? [];
      if (what !== undefined) fail(`body:/${name}`, `nothing of the machine in ${name}`, `${what}: ${value}`);
      if (own.some((word) => value.includes(word)))
        fail(`body:/${name}`, `nothing of the machine in ${name}`, `its own name or release: ${value}`);
    }
    expectSuccess(reply, "sysinfo");
  }),
];
