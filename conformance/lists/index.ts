import { contract, isOwn } from "../contract.ts";
import { accept } from "./accept/list.ts";
import { answers } from "./answer/index.ts";
import { answers as representations } from "./answers/list.ts";
import { body } from "./body/list.ts";
import { credentialLists } from "./credentials/index.ts";
import { dispatchLists } from "./dispatch/index.ts";
import { documentLists } from "./docs-get/list.ts";
import { head } from "./head/list.ts";
import { headers } from "./headers/list.ts";
import { input } from "./input/list.ts";
import { keyLists } from "./keys/list.ts";
import { checksOf } from "./list.ts";
import { publishedLists } from "./published/index.ts";
import { landingLists } from "./sysinfo/landing/landing.ts";
import { sysinfoLists } from "./sysinfo/list.ts";
import { healthLists } from "./test-health/health.ts";
import { userCreateLists } from "./user-create/index.ts";

/** The requirements that the spec marks for a bound or a pattern of a member, unless the operation has its own list for it. */
const listed = new Set(userCreateLists.map(({ requirement }) => requirement));
const marked = [
  ...new Set(
    Object.values(contract.operations).flatMap(({ decides }) =>
      Object.entries(decides).flatMap(([rule, id]) => (rule.includes(" ") && !listed.has(id) ? [id] : [])),
    ),
  ),
];

/** Lists for the operations of this service, and its published files. */
const own = [...publishedLists, ...landingLists, ...healthLists, ...sysinfoLists];

/** Every list, as one check for each requirement of its requests. */
export const lists = [
  ...credentialLists,
  ...dispatchLists,
  ...checksOf(
    [
      ...["http/media-type", "http/media-type-spelling", "http/charset", "http/content-encoding"],
      ...["http/malformed-json", "http/not-utf8", "http/nesting", "http/proto-member"],
    ],
    body,
  ),
  ...checksOf(["http/body-limit", "http/body-limit-on-get"], body, "bounds"),
  ...checksOf(
    [
      ...["http/url-limit", "http/header-count", "http/header-limit", "http/malformed-request"],
      ...["http/expectation", "http/dot-segments", "http/unknown-path", "http/slash-redirect"],
      ...["http/slash-options", "http/stays-alive"],
    ],
    head,
    "requests",
  ),
  ...checksOf(
    [
      ...["http/request-id", "http/request-id-stored", "cors/any-origin", "cors/preflight", "dispatch/head"],
      ...["errors/type", "errors/no-echo"],
    ],
    headers,
    "requests",
  ),
  ...(isOwn ? own : []),
  ...documentLists,
  ...checksOf(["answers/schema", "answers/problems-whatever-accept"], representations),
  ...checksOf(["answers/not-acceptable", "answers/accept-ignored"], accept),
  ...checksOf(
    [
      ...["input/wrong-type", "input/missing-member", "input/unknown-member", "input/unknown-parameter"],
      ...["input/post-query", "input/last-duplicate", "input/integers", "input/empty-is-not-absent"],
      ...["input/unknown-not-named", "errors/invalid-input", "errors/at-most-20", "errors/all-faults"],
      ...["errors/pointer", "errors/parameter", ...marked],
    ],
    input,
  ),
  ...keyLists,
  ...userCreateLists,
  ...answers,
];
