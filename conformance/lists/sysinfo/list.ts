import { wireOfLiteral } from "../../client/send.ts";
import { type Case, checksOf, type List } from "../list.ts";

/** `sysinfo` (D22, D27, D33): plain, with another version or method, and with invented caller addresses. */

const MADE_UP = "203.0.113.9";
const FORWARDED = [
  ...[MADE_UP, `${MADE_UP}, 198.51.100.7, 203.0.113.10`, "2001:db8::9", `${MADE_UP}:4711, [2001:db8::9]:4711`],
  ...[`::ffff:${MADE_UP}`, "127.0.0.99", `not-an-address, <script>, ${MADE_UP}`, ", ,"],
];
const NAMES = [
  ...["X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "X-Original-Forwarded-For"],
  ...["X-Cluster-Client-IP", "X-Forwarded", "Forwarded-For", "Client-IP", "Fastly-Client-IP", "Fly-Client-IP"],
  ...["X-Appengine-User-IP", "X-Azure-ClientIP", "X-Remote-Addr", "X-ProxyUser-Ip"],
];
type Fields = readonly (readonly [name: string, value: string])[];
const FORGED: readonly Fields[] = [
  ...FORWARDED.map((value): Fields => [["X-Forwarded-For", value]]),
  [MADE_UP, "198.51.100.7"].map((value) => ["X-Forwarded-For", value] as const),
  ...NAMES.map((name): Fields => [[name, MADE_UP]]),
  [["Forwarded", `for=${MADE_UP};by=198.51.100.7, for="[2001:db8::9]"`]],
];
const VERSIONS = ["Accept-Version", "X-API-Version", "API-Version", "Version"];
const METHODS = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"];

const sysinfo: List = function* ({ api, oracle, call }): Generator<Case> {
  const operation = oracle.contract.operations.sysinfo;
  if (!operation) return;
  for (const name of ["status", "members", "nothing-more", "time", "client-address", "version", "method"])
    yield [`sysinfo/${name}`, call(operation)];
  yield ["sysinfo/client-address", call(operation, { credentials: "good" })];
  yield ["sysinfo/version", call(operation, { headers: Object.fromEntries(VERSIONS.map((name) => [name, "1.0.0"])) })];
  yield ["sysinfo/method", call(operation, { headers: Object.fromEntries(METHODS.map((name) => [name, "POST"])) })];
  const accept = ["Accept", "application/json"] as const;
  const all = NAMES.map((name) => [name, MADE_UP] as const);
  for (const fields of [[], [["X-Forwarded-For", MADE_UP] as const, ...all]])
    yield ["sysinfo/forwarded-for", wireOfLiteral(api, { method: "GET", target: "/", headers: [accept, ...fields] })];
  for (const fields of FORGED) {
    const request = call(operation);
    yield ["sysinfo/forwarded-for", { ...request, fields: [...request.fields, ...fields] }];
  }
};

export const sysinfoLists = checksOf(
  ["status", "members", "nothing-more", "time", "version", "client-address", "method", "forwarded-for"].map(
    (rule) => `sysinfo/${rule}`,
  ),
  sysinfo,
);
