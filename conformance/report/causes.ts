import type { Cause, ReportedFinding, ReportedRequirement } from "./json.ts";
import { exchangeOf, quoted } from "./text.ts";
import { fieldOf, isToken, named, type Response, titleOf } from "./titles.ts";

/** Findings by their cause, named as a person would name it. */

interface Sign {
  readonly what: string;
  /** The operation that it belongs to; null if it concerns several or none. */
  readonly where: string | null;
}

interface Signed extends Sign {
  readonly finding: ReportedFinding;
  readonly index: number;
  /** It follows from another fault of its response. */
  readonly isFollowing: boolean;
}

type Requirements = ReadonlyMap<string, ReportedRequirement>;

const NOWHERE = "";
const NO_PROBLEM = "no problem document";
/** Media types of no HTTP form are one cause, however many there are: its title has the first. */
const ODD = "an odd media type";
/** More steps than a finding has, and deeper nesting than a body has. */
const FAR = 1e6;
const DEEPEST = 100;
/** A fault in more operations than this does not belong to one of them. */
const SHARED_BY = 2;
/** A body that is framed or coded wrongly is read wrongly. */
const FRAMING = /^header:(?:content-(?:encoding|length|type)|transfer-encoding)$/;
/** The beginning of what a run says of a target that went away in the middle. */
const GONE = "the target stopped responding";

/**
 * Causes of what is not a known failure, first that by which most requirements fail; those of a MUST before others, a target that went away last. An unintended
 * response (none, a 5xx, a rejection that is no problem document) is the cause of everything missing in it; otherwise the cause
 * is the aspect of the finding, at that operation.
 */
export function causesOf(
  findings: readonly ReportedFinding[],
  known: readonly ReportedRequirement[],
): readonly Cause[] {
  const requirements: Requirements = new Map(known.map((one) => [one.id, one]));
  const own = findings.flatMap((finding, index): Signed[] =>
    finding.known === null ? [{ finding, index, isFollowing: false, ...signOf(finding) }] : [],
  );
  const framed = new Map(
    own.flatMap(({ finding, what, where }) =>
      FRAMING.test(finding.aspect) ? [[finding.case, { what, where }] as const] : [],
    ),
  );
  // What else is wrong with a response of another status follows from that.
  const unintended = new Map(
    own.flatMap(({ finding, what, where }) => {
      const { predicted, response } = exchangeOf(finding) ?? {};
      return finding.aspect === "status" && predicted !== response?.status ? [[placeIn(finding), { what, where }]] : [];
    }),
  );
  const signs = own.map((sign): Signed => {
    const isBody = sign.what.startsWith("body") && sign.finding.case !== null;
    const status = sign.finding.aspect === "status" ? undefined : unintended.get(placeIn(sign.finding));
    const cause = status ?? (isBody ? framed.get(sign.finding.case) : undefined);
    const isFollowing = status !== undefined || (cause !== undefined && cause.what !== sign.what);
    return { ...sign, ...cause, isFollowing };
  });
  const places = new Map<string, Set<string>>();
  for (const { what, where } of signs) places.set(what, (places.get(what) ?? new Set()).add(where ?? NOWHERE));
  const groups = new Map<string, { place: string | null; all: Signed[] }>();
  for (const sign of signs) {
    const place = placeOf([...(places.get(sign.what) ?? [])], sign.where);
    const key = place ? `${place}: ${sign.what}` : sign.what;
    const group = groups.get(key) ?? { place, all: [] };
    group.all.push(sign);
    groups.set(key, group);
  }
  const isGone = ({ title }: Cause) => title.startsWith(GONE);
  const isMust = ({ requirements: some }: Cause) => some.some((id) => requirements.get(id)?.level === "MUST");
  const weights = [isGone, (cause: Cause) => !isMust(cause)].map((is) => (cause: Cause) => Number(is(cause)));
  const order = [...weights, (cause: Cause) => -cause.requirements.length, (cause: Cause) => -cause.findings.length];
  return [...groups]
    .map(([key, { place, all }]): Cause => {
      const rank = new Map(all.map((one) => [one.finding, rankOf(one, key, requirements)]));
      const sorted = all.sort(
        (one, other) =>
          (rank.get(one.finding) ?? 0) - (rank.get(other.finding) ?? 0) || sizeOf(one.finding) - sizeOf(other.finding),
      );
      const [first] = sorted;
      const title = first && titleOf(first.finding, key, place).replace(ODD, () => oddType(first.finding));
      return {
        title: title ?? key,
        requirements: [...new Set(sorted.map(({ finding }) => finding.requirement))],
        findings: sorted.map(({ index }) => index),
      };
    })
    .sort((one, other) => order.reduce((sum, by) => sum || by(one) - by(other), 0));
}

/** One operation and requests that call none: that operation. Two and such requests: none. */
function placeOf(places: readonly string[], own: string | null): string | null {
  const operations = places.filter((one) => one !== NOWHERE);
  if (operations.length > SHARED_BY) return `${operations.length} operations`;
  if (operations.length === 1) return operations[0] ?? null;
  return places.includes(NOWHERE) ? null : own;
}

/** The same for all findings of one exchange of a run. */
function placeIn(finding: ReportedFinding): string {
  const { script, case: of } = finding;
  const { request, response, ...about } = exchangeOf(finding) ?? {};
  return JSON.stringify([script, of, request?.method, request?.target, response?.status, about]);
}

/** The requirement that names the fault, then the most precise place, then the fewest steps. */
function rankOf({ finding, isFollowing }: Signed, key: string, requirements: Requirements): number {
  const { aspect, at, requirement, source } = finding;
  // A missing part of a response that is no problem document: the fault is that it is none.
  const subject = key.endsWith(NO_PROBLEM) ? "problem document" : (aspect.split(/[:/]/).at(-1) ?? aspect);
  // If a place in the body is the cause, a finding about a member is more precise than one about the list that holds it.
  const isPlace = key.endsWith(memberOf(aspect));
  const above = isPlace ? DEEPEST - aspect.split("/").length : Number(isFollowing);
  const words = ` ${requirements
    .get(requirement)
    ?.sentence.toLowerCase()
    .replace(/[^\w-]+/g, " ")} `;
  // A law is about a part of a response, which its sentence names; what predicts a response is about the whole of it.
  const isWhole = aspect === "status" || aspect === "body";
  const isNamed = !isWhole && words.includes(` ${subject.toLowerCase()} `);
  const isOther = source === (isWhole ? "law" : "prediction");
  return at + FAR * (above + (isNamed ? 0 : 0.5) + (isOther ? 0.25 : 0));
}

/** Of two equal findings the one with fewer rows, and then with the smaller request, is shown. */
function sizeOf(finding: ReportedFinding): number {
  const rows = finding.case?.split(" + ").length ?? 0;
  return rows * FAR + JSON.stringify(exchangeOf(finding)?.request ?? "").length;
}

/** An aspect, of a place in a body the first member. */
function memberOf(aspect: string): string {
  const [what = "", member] = aspect.split("/", 2);
  return member === undefined ? what : `${what}/${named(member)}`;
}

function signOf(finding: ReportedFinding): Sign {
  const { aspect, actual, operation, requirement, expected } = finding;
  const exchange = exchangeOf(finding);
  // A finding without a request is its own cause: nothing was sent that was not answered.
  if (!exchange) return { what: `${memberOf(aspect)} (${requirement})`, where: operation };
  const { response, error, predicted } = exchange;
  if (actual.startsWith(GONE)) return { what: actual, where: null };
  if (!response) return { what: `no response (${error ?? actual})`, where: operation };
  const { status } = response;
  const type = typeOf(response);
  if (status >= 400 && type !== "application/problem+json")
    return {
      what: `${status} ${type === "" ? "without a media type" : isToken(type) ? type : ODD}, ${NO_PROBLEM}`,
      where: operation,
    };
  const received = `${status} ${codeOf(response)}`.trimEnd();
  if (status >= 500) return { what: received, where: operation };
  if (aspect.startsWith("header:")) return { what: `header ${aspect.slice("header:".length)}`, where: null };
  if (aspect === "status") {
    // A separate word, and not part of the case after it: addresses, ports and limits have three digits too.
    const due = predicted ?? Number(/(?<=^|\s)[1-5]\d\d(?=$|[\s,])/.exec(expected.replace(/ \(.*$/s, ""))?.[0]);
    return { what: `${received} instead of ${due && due !== status ? due : "another status"}`, where: operation };
  }
  // A fault of a member is visible at many places below it.
  return { what: memberOf(aspect), where: operation };
}

const typeOf = (response: Response): string =>
  (fieldOf(response, "content-type") ?? "")
    .replace(/;.*/s, "")
    .trim()
    .replace(/^[\w.+/-]+$/, (type) => type.toLowerCase());

function oddType(finding: ReportedFinding): string {
  const { response } = exchangeOf(finding) ?? {};
  return response ? quoted(typeOf(response)) : ODD;
}

/** The code of a problem document; empty if there is none, as for HEAD. */
function codeOf({ body }: Response): string {
  return named(("text" in body && /"code"\s*:\s*"([^"\\]+)"/.exec(body.text)?.[1]) || "");
}
