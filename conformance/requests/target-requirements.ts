import type { Contract, Operation } from "../oracle/contract.ts";
import type { Mutation, TargetRequirements } from "./draft.ts";

/**
 * The requirements that rows are sent for, each alone, where the rule that decides the response
 * says less.
 */

const isQuery = ({ method }: Operation) => method === "GET";
const isCommand = (operation: Operation) => !isQuery(operation);
const isPublic = ({ auth }: Operation) => !auth;
const hasSeveral = ({ input }: Operation) =>
  Object.values(input).filter(({ required }) => required).length > 1;

const CREDENTIAL = "^X-(?:API-KEY|PLATFORM)";
const NOTHING = "(?:empty|nothing)";

/**
 * The code of the response (null: accepted), the names of the rows, and the operations. The first
 * of a code is meant.
 */
const TARGETS: readonly (readonly [
  requirement: string,
  code: string | null,
  rows: RegExp,
  operations?: (operation: Operation) => boolean,
])[] = [
  ["dispatch/percent-encoded", null, /^(?:@ as %40|\?%40= for @)$/],
  ["dispatch/get-changes-nothing", "method-not-allowed", /^as a query, with its input/],
  [
    "http/media-type-spelling",
    null,
    /^Content-Type: application\/json *;? *(?:charset=.*)?$/i,
    isCommand,
  ],
  ["http/idempotency-key-on-get", null, /^Idempotency-Key/, isQuery],
  ["input/last-duplicate", null, / again$/],
  ["input/last-duplicate", "invalid-input", / again (?:\[\]|null)$/],
  ["input/empty-is-not-absent", "invalid-input", / (?:written |without =)$/, isQuery],
  ["input/empty-is-not-absent", "invalid-cursor", / without =$/, isQuery],
  ["errors/all-faults", "invalid-input", /^data is \{\}$/, hasSeveral],
  [
    "answers/accept-ignored",
    null,
    /^Accept: (?:json|\*|\/|.*;q=(?:x|2||\+1|0\.0x|1\.001|0\.0001))$/,
  ],
  ["credentials/public", null, new RegExp(CREDENTIAL), isPublic],
  [
    "credentials/same-twice",
    null,
    new RegExp(`${CREDENTIAL} right in the header, right in the query$`),
  ],
  [
    "credentials/empty",
    null,
    new RegExp(`${CREDENTIAL} (?:right.*, ${NOTHING}|${NOTHING}.*, right) in the query$`),
  ],
  [
    "credentials/empty",
    "credentials-missing",
    new RegExp(`${CREDENTIAL} ${NOTHING}.*, ${NOTHING} in the query$`),
  ],
  ["credentials/whole", "credentials-invalid", /^X-API-KEY in the (?:header|query) .*~/],
  ["credentials/whole", "platform-not-allowed", /^X-PLATFORM in the (?:header|query) .*~/],
  ["credentials/header-case", null, new RegExp(`${CREDENTIAL} as (?!\\?)`)],
  [
    "credentials/query-case",
    "credentials-missing",
    new RegExp(`${CREDENTIAL} as \\?x[-_]?(?:api[-_]?key|platform)$`, "i"),
  ],
  ["credentials/platform-of-key", "platform-not-allowed", /^X-API-KEY of the kind otherPlatform$/],
  ["credentials/expired", "credentials-invalid", /^X-API-KEY of the kind expired$/],
  ["credentials/revoked", "credentials-invalid", /^X-API-KEY of the kind revoked$/],
];

/** A row with the requirements of the contract that it is sent for. */
export function withTargets(
  row: Mutation,
  { requirements }: Contract,
  operation: Operation,
): Mutation {
  const rowTargets = TARGETS.filter(
    ([requirement, , rows, operations]) =>
      rows.test(row.name) &&
      operations?.(operation) !== false &&
      requirements.some(({ id }) => id === requirement),
  );
  if (rowTargets.length === 0) return row;
  // Where several entries have the same code, the first one counts.
  const targetRequirements: TargetRequirements = new Map(
    rowTargets.toReversed().map(([requirement, code]) => [code, requirement]),
  );
  return { ...row, targets: targetRequirements };
}
