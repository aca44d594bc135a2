import { hostname, release } from "node:os";
import { contract } from "../../generated/operations.ts";
import type { Api } from "../client/api.ts";
import { expectAccepted, expectSuccess, fail } from "../client/expect.ts";
import { check } from "./check.ts";

const sysinfoOf = async (api: Api) => expectSuccess(await api.call("sysinfo"), "sysinfo");

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
  check("sysinfo/status", {}, async (api) => {
    const { status } = await sysinfoOf(api);
    if (status !== "Operational") fail("status", "the status Operational", status);
  }),
  check("sysinfo/version", {}, async (api) => {
    const { version } = await sysinfoOf(api);
    if (version !== contract.version) fail("body", `the version ${contract.version}`, version);
  }),
  check("sysinfo/version#whatever-is-asked-for", {}, async (api) => {
    // There is no version selector (D33).
    const headers = { "Accept-Version": "1.0.0", "X-API-Version": "1.0.0", "API-Version": "1.0.0", Version: "1.0.0" };
    const { version } = expectSuccess(await api.call("sysinfo", { headers }), "sysinfo");
    if (version !== contract.version) fail("body", `the version ${contract.version}`, version);
  }),
  check("sysinfo/members", {}, async (api) => {
    const members = await sysinfoOf(api);
    const blank = Object.entries(members).filter(([, value]) => value.trim() === "");
    if (blank.length > 0) fail("body", "members with a value", `a blank ${blank.map(([name]) => name).join(", ")}`);
    if (!/\d/.test(members.runtime)) fail("body", "a runtime with its version", members.runtime);
  }),
  check("sysinfo/method", {}, async (api) => {
    for (const headers of [
      {},
      { "X-HTTP-Method-Override": "POST", "X-HTTP-Method": "POST", "X-Method-Override": "POST" },
    ]) {
      const { requestMethod } = expectSuccess(await api.call("sysinfo", { headers }), "sysinfo");
      if (requestMethod !== "GET") fail("body", "the requestMethod GET", requestMethod);
    }
  }),
  check("sysinfo/time#now", {}, async (api) => {
    const reply = await api.call("sysinfo");
    const { time } = expectSuccess(reply, "sysinfo");
    const date = Date.parse(reply.header("date") ?? "");
    const known = !Number.isNaN(date);
    // `Date` is cut to whole seconds.
    const apart = known ? Math.abs(Date.parse(time) - date - 500) : Math.abs(Date.parse(time) - Date.now());
    if (apart > (known ? TOLERANCE_MS : OWN_CLOCK_TOLERANCE_MS)) {
      fail("body", `the time of the answer, ${known ? reply.header("date") : new Date().toISOString()}`, time);
    }
  }),
  check("sysinfo/time#moves", {}, async (api) => {
    const first = await sysinfoOf(api);
    const start = performance.now();
    for (let time = first.time; time === first.time; ) {
      // A clock of whole seconds may well stand still for so long.
      if (performance.now() - start > MOVED_MS && !/\.0+Z$|:\d\dZ$/.test(time))
        fail("body", "a time that moves on", `${time} again after ${MOVED_MS} ms`);
      if (performance.now() - start > MOVED_MS) return;
      ({ time } = await sysinfoOf(api));
      // Two replicas may have clocks a little apart.
      if (Date.parse(time) < Date.parse(first.time) - SKEW_MS) fail("body", `a time after ${first.time}`, time);
    }
  }),
  check("sysinfo/nothing-more", {}, async (api) => {
    // The address is the caller's own.
    const { clientAddress: _, ...members } = await sysinfoOf(api);
    for (const [name, value] of Object.entries(members)) {
      const found = TELLTALE.find(([, pattern]) => pattern.test(value));
      if (found) fail("body", `nothing of the machine in ${name}`, `${found[0]}: ${value}`);
      if (own.some((word) => value.includes(word)))
        fail("body", `nothing of the machine in ${name}`, `its own name or release: ${value}`);
    }
  }),
];
