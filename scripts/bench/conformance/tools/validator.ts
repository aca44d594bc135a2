import { writeFile } from "node:fs/promises";
import path from "node:path";
import { probes } from "../probes.ts";
import type { Job, Tool } from "../tool.ts";

/** openapi-response-validator over supertest, as a test file of the service would use it. */
export const validator: Tool = {
  name: "openapi-response-validator over supertest",
  red: (exitCode) => exitCode === 1,
  async command({ url, credentials, run, folder }: Job) {
    const file = path.join(folder, "probes.json");
    await writeFile(file, JSON.stringify(probes(credentials, run)));
    return ["--import", import.meta.resolve("tsx"), path.join(import.meta.dirname, "validator-run.ts"), url, file];
  },
};
