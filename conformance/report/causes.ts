import { fieldsOf } from "../oracle/model-state.ts";
import type { Cause, ReportedFinding, ReportedRequirement } from "./json.ts";
import { findingExchange, isToken, named, type Response, titleOf } from "./lines.ts";
import { groupedBy, quoted } from "./text.ts";

/** Findings by their cause, named as a person would name it. */

interface Signed {
  readonly what: string;
  /** The operation that it belongs to; null if it concerns several or none. */
  readonly where: string | null;
  /** The requirement that decides another status; null where the response itself is the fault. */
  readonly rule: string | null;
  readonly finding: ReportedFinding;
  readonly index: number;
  /** It follows from another fault of its response. */
  readonly isFollowing: boolean;
}

const NO_PROBLEM = "no problem document";
/** Media types of no HTTP form are one cause, however many there are: its title has the first. */
const ODD = "an odd media type";
/** A fault in more operations than this does not belong to one of them. */
const SHARED_BY = 2;
/** A body that is framed or coded wrongly is read wrongly. */
const FRAMING = /^header:(?:content-(?:encoding|length|type)|transfer-encoding)$/;
/** The beginning of what a run says of a target that went away in the middle. */
const GONE = "the target stopped responding";

/** Sorted by the first of their numbers that differs. */
function sortedBy<Item>(items: readonly Item[], weigh: (item: Item) => readonly number[]): Item[] {
  const weighed = items.map((item) => ({ item, weights: weigh(item) }));
  const difference = (left: readonly number[], right: readonly number[]) =>
    left.map((weight, at) => weight - (right[at] ?? 0)).find((weight) => weight !== 0) ?? 0;
  return weighed
    .sort((one, other) => difference(one.weights, other.weights))
    .map(({ item }) => item);
}

/**
 * Causes of what is not a known failure: those of a MUST before others; a rejected request that was
 * carried out, by which later ones fail, before all; then that by which most requirements fail; a
 * target that went away last. An unintended response (none, a 5xx, a rejection that is no problem
 * document) is the cause of everything missing in it; otherwise the cause is the aspect of the
 * finding, at that operation. Another status has one cause for each rule that decides it.
 */
export function causesOf(
  findings: readonly ReportedFinding[],
  known: readonly ReportedRequirement[],
): Cause[] {
  const musts = new Set(known.filter(({ level }) => level === "MUST").map(({ id }) => id));
  const signs = groupedBy(signsOf(findings), ({ what, rule }) => JSON.stringify([what, rule]));
  const causes = signs.flatMap(([, same]) => {
    const what = same[0]?.what ?? "";
    const wheres = new Set(same.map(({ where }) => where));
    return groupedBy(same, ({ where }) => placeOf(wheres, where) ?? "").map(([place, all]) =>
      causeOf(what, place === "" ? null : place, all),
    );
  });
  return sortedBy(causes, ({ title, requirements: ids, findings: indexes }) => [
    Number(title.startsWith(GONE)),
    Number(!ids.some((id) => musts.has(id))),
    Number(findings[indexes[0] ?? 0]?.aspect !== "state"),
    -ids.length,
    -indexes.length,
    Math.min(...indexes),
  ]);
}

/** What each finding shows; where another fault of its response is the cause, what that shows. */
function signsOf(findings: readonly ReportedFinding[]): readonly Signed[] {
  const all = findings.flatMap((finding, index): Signed[] =>
    finding.known === null ? [{ finding, index, isFollowing: false, ...signOf(finding) }] : [],
  );
  const isFraming = ({ finding }: Signed) => FRAMING.test(finding.aspect);
  const framed = new Map(all.filter(isFraming).map((one) => [one.finding.case, one]));
  const isUnintended = ({ finding }: Signed) => {
    const { predicted, response } = findingExchange(finding) ?? {};
    return finding.aspect === "status" && predicted !== response?.status;
  };
  // A law may restate what a rule decides about a response: the rule counts, as the last.
  const lawsFirst = sortedBy(all.filter(isUnintended), ({ finding }) => [
    Number(finding.source !== "law"),
  ]);
  const unintended = new Map(lawsFirst.map((one) => [placeIn(one.finding), one]));
  return all.map((signed): Signed => {
    const { finding, what } = signed;
    const status = unintended.get(placeIn(finding));
    const cause =
      status ??
      (what.startsWith("body") && finding.case !== null ? framed.get(finding.case) : undefined);
    const isFollowing = cause !== undefined && (cause !== status || finding.aspect !== "status");
    return cause
      ? { ...signed, what: cause.what, where: cause.where, rule: cause.rule, isFollowing }
      : signed;
  });
}

/** One operation and requests that call none: that operation. Two and such requests: none. */
function placeOf(places: ReadonlySet<string | null>, ownName: string | null): string | null {
  const operations = [...places].filter((one) => one !== null);
  if (operations.length > SHARED_BY) return `${operations.length} operations`;
  const [only = null] = operations;
  return operations.length === 1 ? only : places.has(null) ? null : ownName;
}

/** A key that all findings of one exchange have in common. */
function placeIn(finding: ReportedFinding): string {
  const { request, response, ...about } = findingExchange(finding) ?? {};
  return JSON.stringify([
    finding.script,
    finding.case,
    finding.operation,
    request?.method,
    request?.target,
    response?.status,
    about,
  ]);
}

function causeOf(what: string, place: string | null, all: readonly Signed[]): Cause {
  const key = place === null ? what : `${place}: ${what}`;
  // What a title names is what is shown below it.
  const isOther = ({ finding }: Signed) => /^\S+$/.test(place ?? "") && finding.operation !== place;
  const sorted = sortedBy(all, (one) => [Number(isOther(one)), ...ranksOf(one, key)]);
  const [title = key] = sorted.slice(0, 1).map(({ finding }) => {
    const { response } = findingExchange(finding) ?? {};
    return titleOf(finding, key, place).replace(ODD, () =>
      response ? quoted(typeOf(response)) : ODD,
    );
  });
  const ids = new Set(sorted.flatMap(({ finding }) => [finding.requirement, ...finding.concerns]));
  return { title, requirements: [...ids], findings: sorted.map(({ index }) => index) };
}

/**
 * First the most precise place, then what is no law about a whole response, then the fewest steps;
 * of two equal findings the one with fewer mutations, and then with the smaller request.
 */
function ranksOf({ finding, isFollowing }: Signed, key: string): readonly number[] {
  const { aspect, at, source } = finding;
  // If a place in the body is the cause, a finding about a member is more precise than one about
  // the list that holds it.
  const above = key.endsWith(memberOf(aspect)) ? -aspect.split("/").length : Number(isFollowing);
  // A law is about a part of a response; what predicts a response is about the whole of it.
  const isWhole = aspect === "status" || aspect === "body";
  const isOther = source === (isWhole ? "law" : "prediction");
  const size = JSON.stringify(findingExchange(finding)?.request ?? "").length;
  return [above, Number(isOther), at, finding.case?.split(" + ").length ?? 0, size];
}

/** An aspect, of a place in a body the first member. */
function memberOf(aspect: string): string {
  const [what = "", member] = aspect.split("/", 2);
  return member === undefined ? what : `${what}/${named(member)}`;
}

function signOf(finding: ReportedFinding): Pick<Signed, "what" | "where" | "rule"> {
  const { aspect, actual, operation, requirement, expected } = finding;
  const exchange = findingExchange(finding);
  // A finding without a request is its own cause: nothing was sent that was not answered.
  if (!exchange)
    return { what: `${memberOf(aspect)} (${requirement})`, where: operation, rule: null };
  const { response, error, predicted } = exchange;
  if (actual.startsWith(GONE)) return { what: actual, where: null, rule: null };
  if (!response) return { what: `no response (${error ?? actual})`, where: operation, rule: null };
  const { status, body } = response;
  const type = typeOf(response);
  if (status >= 400 && type !== "application/problem+json") {
    const shown = type === "" ? "without a media type" : isToken(type) ? type : ODD;
    return { what: `${status} ${shown}, ${NO_PROBLEM}`, where: operation, rule: null };
  }
  // For HEAD there is no code.
  const code = ("text" in body && /"code"\s*:\s*"([^"\\]+)"/.exec(body.text)?.[1]) || "";
  const received = `${status} ${named(code)}`.trimEnd();
  if (status >= 500) return { what: received, where: operation, rule: null };
  if (aspect.startsWith("header:"))
    return { what: `header ${aspect.slice("header:".length)}`, where: null, rule: null };
  if (aspect === "status") {
    // A separate word, and not part of the case after it: addresses, ports and limits have three
    // digits too.
    const due =
      predicted ??
      Number(/(?<=^|\s)[1-5]\d\d(?=$|[\s,])/.exec(expected.replace(/ \(.*$/s, ""))?.[0]);
    const what = `${received} instead of ${due && due !== status ? due : "another status"}`;
    return { what, where: operation, rule: requirement };
  }
  // A fault of a member is visible at many places below it.
  return { what: memberOf(aspect), where: operation, rule: null };
}

function typeOf({ fields }: Response): string {
  const type = (fieldsOf(fields, "Content-Type")[0] ?? "").replace(/;.*/s, "").trim();
  return /^[\w.+/-]+$/.test(type) ? type.toLowerCase() : type;
}
