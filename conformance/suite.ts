import type { Check, Exclusion } from "./checks/check.ts";
import { written } from "./checks/index.ts";
import { contract, isOwn } from "./contract.ts";
import { goldenChecks } from "./golden/checks.ts";
import { laws } from "./laws/index.ts";
import { deployments } from "./lists/deployments.ts";
import { documentLaws } from "./lists/docs-get/laws.ts";
import { lists } from "./lists/index.ts";
import { ours } from "./lists/ours.ts";
import { publishedLaws } from "./lists/published/index.ts";
import { sysinfoChecks } from "./lists/sysinfo/checks.ts";
import { givenLanding } from "./lists/sysinfo/landing/given.ts";
import { landingLaws, landingPair } from "./lists/sysinfo/landing/landing.ts";
import { sysinfoLaws } from "./lists/sysinfo/laws.ts";
import { healthLaws } from "./lists/test-health/health.ts";
import { createLaws } from "./lists/user-create/laws.ts";
import { historiesOf } from "./sequences/index.ts";
import { wire } from "./wire/index.ts";

/** Checks of sequences of requests. Each one is tested with its own broken deployments (`sequences/broken`). */
export const histories: readonly Check[] = historiesOf(ours);

/** Checks of this service's operations and of the documents that it publishes: laws and hand-written checks. */
const own: readonly Check[] = isOwn
  ? [
      ...[...written, ...deployments, landingPair, ...sysinfoChecks, ...givenLanding],
      ...[...sysinfoLaws, ...healthLaws, ...landingLaws, ...publishedLaws],
    ]
  : [];
const known = new Set(contract.requirements.map(({ id }) => id));

/**
 * Every check of the suite: requests whose responses are compared with predictions, golden exchanges, laws of every response, and
 * hand-written checks. For another contract, only the checks whose requirements it has.
 */
export const checks: readonly Check[] = [
  ...lists,
  ...(isOwn ? goldenChecks : []),
  ...own,
  ...laws,
  ...createLaws,
  ...documentLaws,
  ...wire,
  ...histories,
].filter(({ requirement }) => isOwn || known.has(requirement));

const OF_OTHERS = "paging/cursor-of-operation";
/** Requirements without a check, each with the reason. */
export const exclusions: readonly Exclusion[] =
  isOwn && !histories.some(({ requirement }) => requirement === OF_OTHERS)
    ? [{ requirement: OF_OTHERS, reason: "There is no second paged operation that could take a cursor." }]
    : [];
