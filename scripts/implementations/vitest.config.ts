import { defineConfig } from "vitest/config";
import tests from "../../vitest.config.ts";

const { projects: _, coverage: __, experimental: ___, ...shared } = tests.test ?? {};

/** One after the other: a run has the machine for itself. */
export default defineConfig({
  test: { ...shared, include: ["scripts/implementations/*.matrix.ts"], maxWorkers: 1 },
});
