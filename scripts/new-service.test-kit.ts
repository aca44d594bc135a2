import { onTestFinished } from "vitest";
import { type Served, startWritten } from "./written-service.ts";

/** The service on a new database, until the test ends. */
export async function servedFrom(
  at: string,
  settings: NodeJS.ProcessEnv = {},
  node?: string,
): Promise<Served> {
  const service = await startWritten(at, settings, node);
  onTestFinished(service.stop);
  return service;
}
