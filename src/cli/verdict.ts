import type { Config } from "../config.ts";

/** What one look at a deployment has found. A warning may be meant; a fault is not. */
export interface Verdict {
  readonly level: "ok" | "warning" | "fault";
  readonly says: string;
  /** What to do about it. */
  readonly todo?: string;
}

/** Checks by what they look at; what one throws is its fault. Each only reads. */
export type Checks<Subject> = Readonly<
  Record<string, (config: Config, subject: Subject) => Verdict | Promise<Verdict>>
>;
