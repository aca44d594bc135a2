/**
 * Mutants that are correct after all: a server may behave so, or no request can show it. A reason
 * that is no longer needed fails its test.
 */

import { listing, simplest } from "./operations.ts";

export type Reason = readonly [mutants: RegExp, reason: string];

const FORMS = [
  "the form of a target",
  "the media type of a body",
  "a weight",
  "the coding of a body",
  "an expectation",
  "an idempotency key",
];

/** Mutants of the oracle that no request can show, by point, way and scope. */
export const EQUIVALENT: readonly Reason[] = [
  [/^header (?:Host|Expect|Accept) \| with _ for - \|/, "the name has no dash"],
  [
    /parameter (?:@|limit|cursor) \| (?:with(?:out case| _ for -|out dashes)|by a shorter name) \|/,
    "the name has neither",
  ],
  [
    new RegExp(
      `^(?:${FORMS.join("|")}) \\| ` +
        "(?:trimmed|line by line|normalized|without case|if it is empty|without its end) \\|",
    ),
    "a field value, or a target, has no blanks around it and no line ends, and its pattern " +
      "ignores letter case",
  ],
  [
    /: limit type \| (?:without case|normalized|if it is empty) \|/,
    "digits have no letter case, and no other form is a digit's; what is empty is no number",
  ],
  [
    /^\w+\.\w+: name pattern \| (?:without case|if it is empty) \|/,
    "it has no letters, and what is empty is too short",
  ],
  [
    /^the name of a template operation \| if it is empty \|/,
    "without a name there is no operation",
  ],
  [
    /^the caller's copy is current \| never \| (?:sysinfo|.+\.(?:health|list)|credentials .+)$/,
    "of the operations, only docs.get has copies, and needs no credentials",
  ],
  [/^a name that exists \| /, "the pattern of the operation lets no such name through"],
  [
    /^header (?:Transfer-Encoding|Content-Length) \| /,
    "framing is tried on sockets, with whole and broken messages",
  ],
  [
    /^credentials are checked \| \w+ \| [a-z]+\.?[a-z]+$/,
    "one operation needs credentials or it does not: what all others show",
  ],
  [/ in a form \| always \| (?!all)/, "a form is a body of another media type"],
  [/^(?:X-API-KEY|X-PLATFORM) is there \| always \| HEAD$/, "without a body the two 401 are one"],
  [/^the path has the method \| always \| HEAD$/, "every path has HEAD"],
  [
    /^the order of checks \| checkScope before authenticate \|/,
    "no key of a run is both invalid and without a scope",
  ],
];

/** Points that need the response to an earlier request, and what tries them. */
export const OPEN: readonly Reason[] = [
  [
    /^header (?:If-None-Match|Accept-Encoding) \| /,
    "cases of a run, which knows the tag of a response",
  ],
  [/^header Idempotency-Key \| |^an idempotency key belongs to its API key \| /, "scenarios"],
];

/** Perturbations that RFC 9110 or a clause allows. */
export const ALLOWED: readonly Reason[] = [
  [
    / says something else in X-Request-Id$/,
    "the id of a request that came without one is the server's choice",
  ],
  [/(?:^| )[345]\d\d .*sets Location$/, "it means nothing there (RFC 9110, 10.2.2)"],
  [/ changes \/(?:title|detail|errors\/\*\/detail)$/, "words for people"],
  [
    new RegExp(`^(?:${listing.join("|")}) .* (?:turns round /items|changes /items/\\*/title)$`),
    "the order and the titles of documents are the deployment's own",
  ],
  [
    new RegExp(`^(?:/|${simplest.id}) 200 application/json changes /clientAddress$`),
    "one caller may have several addresses",
  ],
  [/ changes \/nextCursor$/, "a cursor is opaque: what comes of another one, a deployment shows"],
  [/api-catalog .* adds a member to the body$/, "a linkset may say more (RFC 9264)"],
];

/**
 * What is seen only in one of several responses that the same code writes, and which; what no case
 * shows yet.
 */
export const UNSEEN: readonly Reason[] = [
  [/^OPTIONS .* Access-Control-/, "preflights: that of the endpoint"],
  [
    /^(?:\/\S*|docs\.get(?= 200 text\/html)) .* cuts the last half$/,
    "pages and files that no parser reads",
  ],
];

export const withoutReason = (
  survivors: readonly string[],
  reasons: readonly Reason[],
): readonly string[] => survivors.filter((name) => !reasons.some(([some]) => some.test(name)));

/** The reasons that none of the survivors needs any more. */
export const needless = (
  survivors: readonly string[],
  reasons: readonly Reason[],
): readonly string[] =>
  reasons
    .filter(([some]) => !survivors.some((name) => some.test(name)))
    .map(([some, reason]) => `${some}: ${reason}`);
