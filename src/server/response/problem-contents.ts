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
 * operation, and an `internal-error` is one of each; any other is reported as a fault of the
 * service. One that the operation does not declare is an `internal-error` for the caller; one of
 * another step is that only in tests.
 */
export function problemContents({
  contract,
  problemsUrl,
  checkResponses,
  onUndocumented,
}: ProblemOptions) {
  const rejections = new Map(contract.steps.map(({ step, problems }) => [step, problems]));
  const isDeclared = (code: string, operation = "") =>
    contract.operations[operation]?.problems.includes(code) ??
    Object.hasOwn(contract.problems, code);
  const documented = (problem: Problem, origin: Origin, requestId: string): Problem => {
    const { code } = problem;
    const { step, operation } = origin;
    const declared = isDeclared(code, operation);
    if (code === "internal-error" || (declared && rejections.get(step)?.includes(code)))
      return problem;
    const fault = declared
      ? `${step} does not reject with ${code}`
      : `${operation ?? step} does not declare ${code}`;
    onUndocumented(operation ?? null, [fault], requestId);
    return declared && checkResponses !== "throw"
      ? problem
      : Problem.from(new ExpectedError(fault, { cause: problem.cause }));
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
