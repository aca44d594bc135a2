import type { Contract } from "./contract.ts";

const runtime = `Node.js ${process.versions.node}`;

/**
 * D27 (status page): what `sysinfo` and the landing page show. The runtime is named without the
 * machine that it runs on.
 */
export const systemInformation = (
  { version, title }: Pick<Contract, "version" | "title">,
  now: Date,
  clientAddress: string,
  method: string,
) => ({
  status: "Operational" as const,
  version,
  server: title,
  runtime,
  clientAddress,
  requestMethod: method === "HEAD" ? ("HEAD" as const) : ("GET" as const),
  time: now.toISOString(),
});

export type SystemInformation = ReturnType<typeof systemInformation>;
