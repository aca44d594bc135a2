// `node scripts/run.js src/cli.ts …`: from the source or, where development dependencies are left out, as it was built.
import "./node-version.js";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const [node, , asked = "", ...words] = process.argv;
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const isSource = asked.endsWith(".ts") && existsSync(at("node_modules/tsx"));
const program = at(
  isSource || asked.endsWith(".js") ? asked : `dist/${asked.replace(/\.ts$/, ".js")}`,
);

if (existsSync(program)) {
  process.argv = [node, program, ...words];
  if (isSource) await import("tsx");
  await import(pathToFileURL(program).href);
} else {
  const suite = asked.startsWith("conformance/")
    ? "; the suite has a package of its own: npm pack -w conformance"
    : "";
  process.stderr.write(
    `${asked} needs development dependencies: npm ci${suite || " && npm run build"}.\n`,
  );
  process.exitCode = 1;
}
