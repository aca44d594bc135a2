import type { Check } from "../../../checks/check.ts";
import { expectObject, expectSuccess, fail } from "../../../client/expect.ts";
import { excerpt } from "../../../client/reply.ts";
import { wireOfLiteral } from "../../../client/send.ts";
import { BROWSER, expectPage, expectSafePage, MARKUP, TOLD, visibleText } from "../../../laws/html.ts";
import { agree, type Memory, type Success, successLaw } from "../../../laws/success.ts";
import { get, pair } from "../../deployments.ts";
import { type Case, checksOf, type List } from "../../list.ts";
import { sysinfo } from "../own.ts";
import { addressesIn } from "./given.ts";

/** The landing page (D27, D29): requests, and its laws. */

/** `Accept` values that prefer the page; malformed parts are ignored (D10). */
const PAGE = [
  ...["*/*", "text/html", BROWSER, "application/json;q=0.5, text/html", "text/*", "application/json;q=0, */*"],
  ...["json", "application/json;q=2"],
];
const DOCUMENT = [
  ...["application/json", "APPLICATION/JSON", "application/*", "application/json, text/html;q=0.9"],
  ...["text/html;q=0.1, application/json;q=0.2", "text/html;q=0, */*", "application/json;version=1"],
  "application/json; charset=utf-8, text/html;q=0.9",
];

const landing: List = function* ({ api, oracle, call }): Generator<Case> {
  const get = (target: string, headers: readonly (readonly [string, string])[] = [], method = "GET") =>
    wireOfLiteral(api, { method, target, headers });
  const { sysinfo } = oracle.contract.operations;
  for (const of of ["landing/json", "landing/as-sysinfo"]) if (sysinfo) yield [of, call(sysinfo)];
  for (const target of ["/", "/?@=docs.list", "/?x=1"]) yield ["landing/html", get(target)];
  for (const accept of PAGE) yield ["landing/html", get("/", [["Accept", accept]])];
  for (const accept of DOCUMENT) yield ["landing/json", get("/", [["Accept", accept]])];
  for (const method of ["HEAD", "GET"]) yield ["landing/html", get("/", [["Accept", BROWSER]], method)];
  yield ["landing/as-sysinfo", get("/")];
  for (const name of TOLD)
    yield [
      "landing/safe",
      get("/", [
        ["Accept", BROWSER],
        [name, MARKUP],
      ]),
    ];
  const escaped = encodeURIComponent(MARKUP);
  for (const query of [`q=${escaped}&${escaped}`, "<script>alert(1)</script>"])
    yield ["landing/safe", get(`/?${query}`)];
};

const isLanding = ({ operation, place }: Success) => operation === null && place === "/";
const isPage = (success: Success) => isLanding(success) && success.reply.mediaType === "text/html";
const isJson = (success: Success) => isLanding(success) && !isPage(success);
const isSysinfo = ({ operation, json }: Success) => operation?.id === "sysinfo" && json !== null;

/** The addresses at which `sysinfo` has seen this caller: there may be several. */
function callerAt(memory: Memory, more: readonly string[] = []): readonly string[] {
  const all = [...new Set([...(memory.get("addresses") ?? "").split(" ").filter(Boolean), ...more])];
  memory.set("addresses", all.join(" "));
  return all;
}

/** Everything that is not specific to one request. */
function sameAsSysinfo(success: Success, memory: Memory): void {
  const said = expectObject(expectSuccess(success.reply, "sysinfo"));
  for (const name of ["status", "version", "server", "runtime", "requestMethod"] as const)
    agree(memory, `the ${name}`, String(said[name]), `body:/${name}`);
  const clientAddress = String(said.clientAddress);
  const known = callerAt(memory, isSysinfo(success) ? [clientAddress] : []);
  if (known.length > 0 && !known.includes(clientAddress))
    fail("body:/clientAddress", `the clientAddress of sysinfo, ${known.join(" or ")}`, clientAddress);
}

/** The page shows what `sysinfo` reports. */
function showsSysinfo(success: Success, memory: Memory): void {
  if (isPage(success)) memory.set("page", visibleText(success.reply.text));
  else memory.set("sysinfo", success.reply.text);
  const [text, json] = [memory.get("page"), memory.get("sysinfo")];
  const said = json === undefined ? {} : expectObject(JSON.parse(json));
  const known = callerAt(memory, isPage(success) ? [] : [String(said.clientAddress)]);
  if (text === undefined || json === undefined) return;
  for (const name of ["server", "runtime", "requestMethod"])
    if (
      !String(said[name])
        .split(/\s+/)
        .every((word) => text.includes(word))
    )
      fail("body", `the ${name} of sysinfo, ${said[name]}, on the page`, excerpt(text));
  const shown = [...addressesIn(text, "IPv4"), ...addressesIn(text, "IPv6")];
  if (shown.length > 0 && !shown.some((address) => known.includes(address)))
    fail("body", `the clientAddress of sysinfo, ${known.join(" or ")}, on the page`, shown.join(", "));
}

export const landingLists = checksOf(["landing/html", "landing/json", "landing/as-sysinfo", "landing/safe"], landing);

/** Two deployments have the same page, but for what describes their machines. */
export const landingPair = pair("landing", get("/", { Accept: "application/json" }), sysinfo.machine);

export const landingLaws: readonly Check[] = [
  successLaw("landing/html#every-page", isPage, ({ reply }) => expectPage(reply)),
  successLaw("landing/safe#every-page", isPage, ({ reply }) => expectSafePage(reply)),
  successLaw("landing/json#every-response", (one) => isJson(one) || isSysinfo(one), sameAsSysinfo),
  successLaw("landing/as-sysinfo#every-page", (one) => isPage(one) || isSysinfo(one), showsSysinfo),
];
