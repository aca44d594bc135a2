import { defineConfig } from "vitest/config";
import { BOUND_MS } from "./src/test/patience.ts";

const TESTS = "{src,spec,scripts,conformance}/**/*.test.ts";
/** They start processes or browsers, compile, or run the whole suite. */
const SLOW = TESTS.replace("*.test", "*.slow.test");
const exclude = ["**/node_modules/**", "**/dist/**", "scripts/bench/**"];

export default defineConfig({
  test: {
    reporters: ["default", "./src/test/left-out-reporter.ts"],
    projects: [
      { extends: true, test: { name: "slow", include: [SLOW], exclude } },
      {
        extends: true,
        test: {
          name: "quick",
          include: [TESTS],
          exclude: [...exclude, SLOW],
          setupFiles: "src/test/quick.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["src/**/*.test-d.ts"],
            tsconfig: "src/test/types.tsconfig.json",
          },
        },
      },
    ],
    // Much of it waits for sockets and timeouts: more workers than cores.
    maxWorkers: "200%",
    // No test changes a module: files share what they import. Each in a process of its own imports
    // for half a second.
    isolate: false,
    // Of a quick run, a quarter is the compiler's; what has not changed since the last one is taken
    // from node_modules/.
    experimental: { fsModuleCache: true },
    // With the little that Node takes by itself, a tenth of the time is the collector's.
    execArgv: ["--max-semi-space-size=32"],
    // Against what hangs; how fast it is, no test says, and the machine may be busy. No test has a
    // limit of its own.
    testTimeout: BOUND_MS,
    hookTimeout: BOUND_MS,
    // Of the service. Of the suite, mutants say more than lines: each decision made wrongly, each
    // response perturbed.
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // What only tests are made of, and entry points of a few lines, which tests run as processes
      // of their own.
      exclude: [
        "**/*.test.ts",
        "**/*.test-d.ts",
        "**/*.test-kit.ts",
        "src/test/**",
        "src/main.ts",
        "src/cli.ts",
      ],
      reporter: ["text-summary", "html"],
      // Below what was measured by what timing, and the absence of PostgreSQL or Redis, change from
      // run to run.
      thresholds: { lines: 93, branches: 88 },
    },
  },
});
