import { onTestFinished } from "vitest";
import type { Hooks } from "../proof/proxy/message.ts";
import { startProxy } from "../proof/proxy/server.ts";

/** The address of a proxy to a deployment, which lives as long as the test. */
export async function proxied(to: string, hooks: Hooks): Promise<string> {
  const { url, close } = await startProxy(hooks, to);
  onTestFinished(close);
  return url;
}
