import type { Reporter, TestModule } from "vitest/node";

/** Says at the end of a run what was left out, and why. */
export default class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const { children } of modules)
      for (const { name } of children.allTests("skipped")) {
        const [, reason] = /\(LEFT OUT: (.*)\)$/.exec(name) ?? [];
        if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    if (counts.size === 0) return;
    const lines = [...counts].map(
      ([reason, count]) => `  ${count} ${count === 1 ? "test" : "tests"}: ${reason}`,
    );
    process.stdout.write(`\nLEFT OUT:\n${lines.join("\n")}\n\n`);
  }
}
