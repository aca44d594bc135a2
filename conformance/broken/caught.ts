import type { Defect } from "./defect.ts";

type Hooks = Pick<Defect, "request" | "answer" | "socket" | "unreadable" | "unreadableAnswer">;

/** A defect of the area that its id begins with, which breaks exactly the requirements of the checks that catch it. */
export function caught(
  id: string,
  description: string,
  catches: readonly string[],
  reason: RegExp,
  hooks: Hooks,
): Defect {
  const requirements = [...new Set(catches.map((check) => check.replace(/#.*/, "")))];
  return { id, area: id.replace(/\/.*/, ""), description, requirements, catches, reason, ...hooks };
}
