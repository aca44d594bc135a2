import { contract } from "../../generated/operations.ts";
import type { RequirementId } from "../../generated/requirements.ts";
import { Api } from "../client/api.ts";
import { expectAccepted } from "../client/expect.ts";
import { Expectation } from "../client/expectation.ts";
import type { Reply } from "../client/reply.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { Target } from "../client/wire/target.ts";
import type { Selection } from "./select.ts";

/** What must be true before anything is judged; `fault` says what is not. */
export interface Preflight {
  readonly version: string | null;
  readonly verdict: "unreachable" | "preflight failed" | null;
  readonly fault: string | null;
  readonly exchanges: readonly Exchange[];
  /** What the step that failed stands for: the checks of these requirements run all the same, and say it in full. */
  readonly requirements: readonly RequirementId[];
}

/** What a step may have failed by. */
const SPEAKS: readonly RequirementId[] = [
  "sysinfo/json",
  "sysinfo/public",
  "answers/object",
  "credentials/public",
  "dispatch/every-operation",
  "dispatch/query-style",
  "http/content-length",
];
const VERSION: readonly RequirementId[] = [
  "sysinfo/version",
  "sysinfo/json",
  "sysinfo/members",
  "answers/object",
  "dispatch/one-path",
  "test.health/version",
];
const KEY: readonly RequirementId[] = [
  "user.list/json",
  "user.list/placements",
  "answers/object",
  "dispatch/every-operation",
];
const NO_KEY: readonly RequirementId[] = [
  "user.list/credentials",
  "test.health/credentials",
  "user.create/credentials",
  "credentials/missing",
  "errors/status",
];

/** An operation that needs a key and changes nothing. */
const GUARDED = "user.list";

function versionOf(reply: Reply): string | null {
  const document = expectAccepted(reply);
  const version = typeof document === "object" && document !== null && "version" in document ? document.version : null;
  return typeof version === "string" ? version : null;
}

function expectPinned(version: string | null, origin: Selection["origin"]): void {
  // No given requirement names the members of sysinfo, so there a version may be called otherwise.
  if (version === null && origin === "given") return;
  if (version !== contract.version) {
    throw new Expectation(
      "body:/version",
      `sysinfo to report the version ${contract.version}, which this suite judges`,
      version ?? "none",
    );
  }
}

/** Asks once: reachable, version as pinned, key works, no key is refused. Throws `Stopped` when the run ends first. */
export async function preflight(session: Session, origin: Selection["origin"]): Promise<Preflight> {
  const api = new Api(session, { origin: origin === "given" ? "given" : "decided", rateLimited: false });
  let version: string | null = null;
  let step = "the target is reachable";
  let requirements: readonly RequirementId[] = [];
  const begin = (next: string, of: readonly RequirementId[]) => {
    step = next;
    requirements = of;
  };
  const end = (verdict: Preflight["verdict"], fault: string | null): Preflight => ({
    version,
    verdict,
    fault,
    exchanges: api.exchanges,
    requirements: verdict === "preflight failed" ? requirements : [],
  });
  try {
    const sysinfo = await api.call("sysinfo");
    begin("sysinfo answers a JSON document", SPEAKS);
    version = versionOf(sysinfo);
    begin("the version is the one of this suite", VERSION);
    expectPinned(version, origin);
    begin("the key works", KEY);
    const listed = await api.call(GUARDED);
    if (listed.status >= 300)
      throw new Expectation("status", `${GUARDED} to accept the key`, `${listed.status} ${listed.text.slice(0, 200)}`);
    begin("no key is refused", NO_KEY);
    const refused = await api.call(GUARDED, { credentials: "none" });
    if (refused.status < 300)
      throw new Expectation("status", `${GUARDED} to refuse a call without a key`, `${refused.status}`);
    return end(null, null);
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    // Whoever hangs up, or does not speak HTTP as it must, is there.
    const heard = () =>
      api.exchanges.some(({ answer, error }) => answer !== null || /connection reset|HPE_/.test(error ?? ""));
    if (!heard()) {
      // It may be sysinfo alone that does not answer.
      await api.call(GUARDED).catch((second: unknown) => {
        if (!(second instanceof Expectation)) throw second;
      });
    }
    if (heard() && requirements.length === 0) begin("sysinfo answers", SPEAKS);
    return end(heard() ? "preflight failed" : "unreachable", `preflight, ${step}: ${error.message}`);
  }
}

/** What Node says of a certificate whose issuer it does not know. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/;

/** A fault of the preflight, and what its reader may do about it. `entered`: sysinfo was there. */
export function advise(fault: string, { url, prefix }: Target, entered: boolean): string {
  if (UNTRUSTED.test(fault)) return `${fault}; NODE_EXTRA_CA_CERTS=FILE trusts the certificates in that file`;
  if (!entered && prefix.endsWith("/api"))
    return `${fault}; the base URL is the part before /api/: --url ${url.slice(0, -"/api".length)}`;
  return fault;
}
