import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { quickTests } from "./scripts/quick-tests.ts";
import { BOUND_MS } from "./src/test/patience.ts";

/** What takes minutes begins first, so that none of it is left to run alone at the end. */
const LONG =
  /(proof\/(again|responses\/responses)|deploy\/(fronts|walk-through)|proof\/right\/(right|limits)|scripts\/(adding-an-operation|conformance|new-service))\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const folders = ["src", "spec", "scripts", "conformance"];
const quick = { root: import.meta.dirname, files: quickTests(import.meta.dirname, folders) };

/** `--mode quick`: only the quick tests (`npm run test:quick`). In every mode they must not start a process. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "quick" ? quick.files : folders.map((folder) => `${folder}/**/*.test.ts`),
    setupFiles: "src/test/quick.ts",
    provide: { quick },
    exclude: ["**/node_modules/**", "**/dist/**", "scripts/bench/**"],
    sequence: { sequencer: LongFirst },
    // Much of it waits for sockets and time-outs: more workers than cores.
    maxWorkers: availableParallelism() * 2,
    // No test changes a module: files share what they import. Each in a process of its own imports for half a second.
    isolate: false,
    // Of a quick run, a quarter is the compiler's; what has not changed since the last one is taken from node_modules/.
    experimental: { fsModuleCache: true },
    // With the little that Node takes by itself, a tenth of the time is the collector's.
    execArgv: ["--max-semi-space-size=32"],
    // Against what hangs; how fast it is, no test says, and the machine may be busy. No test has a limit of its own.
    testTimeout: BOUND_MS,
    hookTimeout: BOUND_MS,
    // Of the service. Of the suite, mutants say more than lines: each decision made wrongly, each response perturbed.
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // What only tests are made of, and entry points of a few lines, which tests run as processes of their own.
      exclude: ["**/*.test.ts", "**/*.test-kit.ts", "src/test/**", "src/main.ts", "src/cli.ts"],
      reporter: ["text-summary", "html"],
      // Below what was measured by what timing, and the absence of PostgreSQL or Redis, change from run to run.
      thresholds: { lines: 93, branches: 88 },
    },
  },
}));
