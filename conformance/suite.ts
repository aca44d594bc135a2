import type { Check, Exclusion } from "./checks/check.ts";
import { written } from "./checks/index.ts";
import { pagingExclusions } from "./checks/paging.ts";
import { contract, isOwn } from "./contract.ts";
import { goldenChecks } from "./golden/checks.ts";
import { laws } from "./laws/index.ts";
import { deployments } from "./lists/deployments.ts";
import { documentLaws } from "./lists/docs-get/laws.ts";
import { lists } from "./lists/index.ts";
import { givenLanding } from "./lists/landing/given.ts";
import { landingLaws } from "./lists/landing/landing.ts";
import { ours } from "./lists/ours.ts";
import { publishedLaws } from "./lists/published/index.ts";
import { sysinfoChecks } from "./lists/sysinfo/checks.ts";
import { sysinfoLaws } from "./lists/sysinfo/laws.ts";
import { healthLaws } from "./lists/test-health/health.ts";
import { createLaws } from "./lists/user-create/laws.ts";
import { historiesOf } from "./sequences/index.ts";

/** What holds of one request after another: each of them is tried by broken deployments of its own (`sequences/broken`). */
export const histories: readonly Check[] = historiesOf(ours);

/** What is about the operations of this service, and what it publishes: laws, and what is written one by one. */
const own: readonly Check[] = isOwn
  ? [
      ...[...written, ...deployments, ...sysinfoChecks, ...givenLanding],
      ...[...documentLaws, ...sysinfoLaws, ...healthLaws, ...landingLaws, ...publishedLaws],
    ]
  : [];
const known = new Set(contract.requirements.map(({ id }) => id));

/**
 * Every check of the suite: requests compared with their predictions, golden exchanges, what holds of every response, and what is written one by one.
 * Of another contract those whose requirement it has.
 */
export const checks: readonly Check[] = [
  ...lists,
  ...(isOwn ? goldenChecks : []),
  ...own,
  ...laws,
  ...createLaws,
  ...histories,
].filter(({ requirement }) => isOwn || known.has(requirement));

/** Requirements that no check tries, each with the reason. */
export const exclusions: readonly Exclusion[] = isOwn ? pagingExclusions : [];
