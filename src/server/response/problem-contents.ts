import type { Contract } from "../contract.ts";
import { ExpectedError } from "../expected-error.ts";
import { Problem } from "../problem.ts";
import type { Config } from "../settings/config.ts";

/**
 * Called with a response that breaks the contract, where `checkResponses` is `log`; that of no
 * operation has null.
 */
export type OnUndocumented = (
  operation: string | null,
  faults: readonly string[],
  requestId: string,
) => void;

export interface ProblemOptions {
  readonly contract: Pick<Contract, "problems" | "steps" | "limits" | "operations">;
  /** The absolute address of the entry of all problems, for `type`. */
  readonly problemsUrl: string;
  readonly checkResponses: Config["checkResponses"];
  readonly onUndocumented: OnUndocumented;
}

/**
 * Where a problem comes from: the step that rejected, and the operation, as soon as it is known.
 */
interface Origin {
  readonly step: string;
  readonly operation?: string | undefined;
}

/**
 * Problems as problem documents (RFC 9457). A rejection has to be one of its step and of its
 * operation, and an `internal-error` is one of each; any other is a fault of the service: an
 * `internal-error` in tests, reported in production. So is a code that the contract does not have.
 */
export function problemContents({
  contract,
  problemsUrl,
  checkResponses,
  onUndocumented,
}: ProblemOptions) {
  const rejections = new Map(contract.steps.map(({ step, problems }) => [step, problems]));
  const faultOf = (code: string, { step, operation = "" }: Origin): string | null => {
    if (!rejections.get(step)?.includes(code)) return `${step} does not reject with ${code}`;
    const declared = contract.operations[operation]?.problems ?? [code];
    return declared.includes(code) ? null : `${operation} does not declare ${code}`;
  };
  const documented = (problem: Problem, origin: Origin, requestId: string): Problem => {
    const { code } = problem;
    const isKnown = Object.hasOwn(contract.problems, code);
    const fault = code === "internal-error" ? null : faultOf(code, origin);
    if (fault === null) return problem;
    onUndocumented(origin.operation ?? null, [fault], requestId);
    return isKnown && checkResponses !== "throw" ? problem : Problem.from(new ExpectedError(fault));
  };
  return (thrown: Problem, origin: Origin, requestId: string) => {
    const problem = documented(thrown, origin, requestId);
    const { code, detail, errors, headers } = problem;
    const {
      status,
      title,
      detail: usual,
    } = contract.problems[code] ?? { status: 500, title: code, detail: code };
    const document = {
      type: `${problemsUrl}#${code}`,
      title,
      status,
      detail: detail ?? usual,
      code,
      requestId,
    };
    const reply = {
      status,
      headers: Object.assign({ "Content-Type": "application/problem+json" }, headers),
      body: JSON.stringify(
        errors ? { ...document, errors: errors.slice(0, contract.limits.faults) } : document,
      ),
    };
    return { problem, reply };
  };
}
