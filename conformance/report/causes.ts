import type { Exchange } from "../client/wire/exchange.ts";
import { sentenceOf } from "./cause-title.ts";
import type { CheckResult, Report } from "./report.ts";
import { type Failed, failuresOf } from "./summary.ts";

/** Failures with one common cause. */
export interface Cause {
  /** A short description: `user.list: 500 internal-error`, or a sentence: `createdAt` is missing from each item of user.list. */
  readonly title: string;
  /** Most specific first: the requirement that names the fault, in the fewest steps. */
  readonly failures: readonly [Failed, ...Failed[]];
  /** Incomplete checks: one of these failures reports their finding. */
  readonly open: readonly string[];
}

interface Sign {
  readonly what: string;
  /** The operation that it belongs to; null if it concerns several or none. */
  readonly where: string | null;
}

type Answer = NonNullable<Exchange["answer"]>;

const NOWHERE = "";
const NO_PROBLEM = "no problem document";
/** More steps than a check has, and deeper nesting than a body has. */
const FAR = 1e6;
const DEEPEST = 100;

/** A fault in more operations than this does not belong to one of them. */
const SHARED_BY = 2;

/**
 * Failures by their cause, first the one that affected most checks. An unintended response (none, a 5xx, a rejection that is no
 * problem document) is the cause of everything missing in it; otherwise the cause is the aspect of the failure, at that
 * operation.
 */
export function causesOf(report: Report): Cause[] {
  const signs = failuresOf(report).map((failed) => ({ failed, ...signOf(failed) }));
  const places = new Map<string, Set<string>>();
  for (const { what, where } of signs) places.set(what, (places.get(what) ?? new Set()).add(where ?? NOWHERE));
  const groups = new Map<string, { place: string | null; failures: Failed[] }>();
  for (const { failed, what, where } of signs) {
    const place = placeOf([...(places.get(what) ?? [])], where);
    const key = place ? `${place}: ${what}` : what;
    const group = groups.get(key) ?? { place, failures: [] };
    group.failures.push(failed);
    groups.set(key, group);
  }
  const size = ({ failures, open }: Cause) => failures.length + open.length;
  return [...groups]
    .map(([key, { place, failures }]): Cause => {
      const width = (failed: Failed) => widthOf(failed, key);
      const sorted = failures.sort((one, other) => width(one) - width(other) || sizeOf(one) - sizeOf(other));
      // A group begins with the failure that created it.
      const [first, ...rest] = sorted as [Failed, ...Failed[]];
      const isTold = ({ reportedBy }: CheckResult) => failures.some(({ check }) => check === reportedBy);
      const open = report.results.filter(isTold).map(({ check }) => check);
      const title = isAnswered(key) ? key : (sentenceOf(first, place) ?? key);
      return { title, failures: [first, ...rest], open };
    })
    .sort((one, other) => size(other) - size(one));
}

/** Whether the cause is the response as a whole: then missing parts of it add nothing. */
const isAnswered = (key: string) => !/(^|: )(header |body(:\/|$))/.test(key);

/** Of two equal findings the one with the smaller request is shown. */
function sizeOf({ failure: { exchanges, guilty } }: Failed): number {
  const { raw, url = "", body } = exchanges[guilty]?.request ?? {};
  return raw?.length ?? url.length + (body?.length ?? 0);
}

/** One operation and requests that call none: that operation. Two and such requests: none. */
function placeOf(places: readonly string[], own: string | null): string | null {
  const operations = places.filter((one) => one !== NOWHERE);
  if (operations.length > SHARED_BY) return `${operations.length} operations`;
  if (operations.length === 1) return operations[0] ?? null;
  return places.includes(NOWHERE) ? null : own;
}

function widthOf({ failure: { aspect, guilty }, requirement: { sentence } }: Failed, title: string): number {
  // A missing part of a response that is no problem document: the fault is that it is none.
  const subject = title.endsWith(NO_PROBLEM) ? "problem document" : (aspect.split(/[:/]/).at(-1) ?? aspect);
  // If a place in the body is the cause, a finding about a member is more precise than one about the list that holds it.
  const isPlace = title.endsWith(aspect.split("/", 2).join("/"));
  const above = isPlace ? DEEPEST - aspect.split("/").length : 0;
  return guilty + FAR * (above + (sentence.toLowerCase().includes(subject.toLowerCase()) ? 0 : 0.5));
}

function signOf({ failure }: Failed): Sign {
  const { aspect, expected } = failure;
  const { answer = null, error = null } = failure.exchanges[failure.guilty] ?? {};
  // On a socket no operation was called by its name; the response names it.
  const operation = failure.operation ?? (answer && (fieldOf(answer, "x-operation") || null));
  if (!answer) return { what: `no answer${error ? ` (${error})` : ""}`, where: null };
  const { status } = answer;
  const type = typeOf(answer);
  const problem = type === "application/problem+json";
  if (status >= 400 && !problem)
    return { what: `${status} ${type || "without a media type"}, ${NO_PROBLEM}`, where: operation };
  const said = `${status} ${codeOf(answer)}`.trimEnd();
  if (status >= 500) return { what: said, where: operation };
  if (aspect.startsWith("header:")) return { what: `header ${aspect.slice("header:".length)}`, where: null };
  if (aspect === "status") {
    // A separate word, and not part of the case after it: addresses, ports and limits have three digits too.
    const due = /(?<=^|\s)[1-5]\d\d(?=$|[\s,])/.exec(expected.replace(/ \(.*$/s, ""))?.[0];
    return { what: `${said} instead of ${due ?? "another status"}`, where: operation };
  }
  // A fault of a member is visible at many places below it.
  return { what: aspect.split("/", 2).join("/"), where: operation };
}

function fieldOf({ headers }: Answer, field: string): string {
  const [, value = ""] = headers.find(([name]) => name.toLowerCase() === field) ?? [];
  return value;
}

const typeOf = (answer: Answer): string => fieldOf(answer, "content-type").replace(/;.*/s, "").trim().toLowerCase();

/** The code of a problem document; empty if there is none, as for HEAD. */
function codeOf({ body }: Answer): string {
  return /"code"\s*:\s*"([\w-]+)"/.exec(body.toString())?.[1] ?? "";
}
