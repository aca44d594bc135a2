import { valueAt } from "./examples.ts";

/** What the given document leaves open: the user describes it so that a deployment can be checked. */
export interface Leeway {
  /** Where the landing page is, below the base address. */
  readonly landing: string;
  /** An e-mail address that the deployment accepts, `{id}` where it may differ. */
  readonly email: string;
  /** Whether the user can describe more: by our contract everything is decided. */
  readonly open: boolean;
  /** Whether this JSON body means a rejection, whatever the status. */
  readonly saysNo: (body: Buffer) => boolean;
}

/** The values of our contract. */
export const decided: Leeway = {
  landing: "/",
  email: "conformance+{id}@example.com",
  open: false,
  saysNo: () => false,
};

/** Matches a rule: `POINTER` of a member that only rejections have, or `POINTER=VALUE`, its value in a rejection. */
export const REFUSAL_RULE = /^((?:\/[^/=]+)+)(?:=(.+))?$/;

/** The rule as a predicate on bodies. */
export function refusalRule(text: string): Leeway["saysNo"] {
  const [, pointer = "", wanted] = REFUSAL_RULE.exec(text) ?? [];
  return (body) => {
    try {
      const value = valueAt(JSON.parse(body.toString()), pointer);
      if (wanted === undefined) return value !== undefined && value !== null;
      return (typeof value === "string" ? value : JSON.stringify(value)) === wanted;
    } catch {
      return false;
    }
  };
}
