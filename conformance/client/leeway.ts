import { valueAt } from "./examples.ts";

/** What the document that is given leaves open, and a deployment has to be told of so that it can be judged. */
export interface Leeway {
  /** Where the landing page is, below the base address. */
  readonly landing: string;
  /** An e-mail address that it takes, `{id}` where it may differ. */
  readonly email: string;
  /** Whether it can be told more: by our contract all is decided. */
  readonly open: boolean;
  /** Whether it says no in this JSON body, whatever the status. */
  readonly saysNo: (body: Buffer) => boolean;
}

/** What our contract decided. */
export const decided: Leeway = {
  landing: "/",
  email: "conformance+{id}@example.com",
  open: false,
  saysNo: () => false,
};

/** Matches a rule: `POINTER` of a member that refusals alone have, or `POINTER=VALUE`, what it then is. */
export const REFUSAL_RULE = /^((?:\/[^/=]+)+)(?:=(.+))?$/;

/** The rule as a judge of bodies. */
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
