import { contract } from "../generated/operations.ts";
import type { RequirementId } from "../generated/requirements.ts";
import { Api } from "./api.ts";
import type { Exchange } from "./exchange.ts";
import { expectAccepted } from "./expect.ts";
import { Expectation } from "./expectation.ts";
import type { Reply } from "./reply.ts";
import type { Selection } from "./select.ts";
import type { Session } from "./transport.ts";

/** What must be true before anything is judged; `fault` says what is not. */
export interface Preflight {
  readonly version: string | null;
  readonly verdict: "unreachable" | "preflight failed" | null;
  readonly fault: string | null;
  readonly exchanges: readonly Exchange[];
  /** What the step that failed stands for: the checks of these requirements run all the same, and say it in full. */
  readonly requirements: readonly RequirementId[];
}

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
  const begin = (next: string, ...of: RequirementId[]) => {
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
    begin("sysinfo answers a JSON document", "sysinfo/json", "sysinfo/public");
    version = versionOf(sysinfo);
    begin("the version is the one of this suite", "sysinfo/version");
    expectPinned(version, origin);
    begin("the key works", "user.list/json", "user.list/placements");
    const listed = await api.call(GUARDED);
    if (listed.status >= 300)
      throw new Expectation(`${GUARDED} to accept the key`, `${listed.status} ${listed.text.slice(0, 200)}`);
    begin("no key is refused", "user.list/credentials");
    const refused = await api.call(GUARDED, { credentials: "none" });
    if (refused.status < 300) throw new Expectation(`${GUARDED} to refuse a call without a key`, `${refused.status}`);
    return end(null, null);
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    const answered = api.exchanges.some(({ answer }) => answer !== null);
    return end(answered ? "preflight failed" : "unreachable", `preflight, ${step}: ${error.message}`);
  }
}
