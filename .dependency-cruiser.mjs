// The import rules of the house.
const only = (name, module, places, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^(src|conformance|scripts)/", pathNot: places },
  to: { path: module },
});

export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "conformance-is-a-black-box",
      comment: "The suite knows a URL and generated/, never the service.",
      severity: "error",
      from: { path: "^conformance/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(src|scripts)/" },
    },
    {
      name: "service-does-not-know-its-judge",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(conformance|scripts)/" },
    },
    {
      name: "generated-stands-alone",
      severity: "error",
      from: { path: "generated/" },
      to: { pathNot: "generated/" },
    },
    only(
      "koa-stops-at-the-dispatcher",
      "node_modules/(@types/)?(koa|@koa/router)/",
      "^src/(app|dispatcher)\\.ts$|^src/http/",
      "A handler never sees Koa.",
    ),
    only("sql-stops-at-storage", "node_modules/(knex|pg|sqlite3)/", "^src/(storage|test)/", "SQL stops at storage."),
    {
      name: "no-tests-in-the-product",
      severity: "error",
      from: { path: "^(src|conformance)/", pathNot: "(\\.test\\.ts|test-kit\\.ts)$|^src/test/" },
      to: { path: "\\.test\\.ts$|test-kit|^src/test/|node_modules/(vitest|fast-check)/" },
    },
    {
      name: "no-development-dependencies-in-the-service",
      severity: "error",
      from: { path: "^src/", pathNot: "(\\.test\\.ts|test-kit\\.ts)$|^src/test/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/|scripts/bench/" },
  },
};
