import { it } from "vitest";

/** Registers a test that cannot run here: the end of the run lists each reason. */
export const leaveOut = (title: string, reason: string): void =>
  it.todo(`${title} (LEFT OUT: ${reason})`);
