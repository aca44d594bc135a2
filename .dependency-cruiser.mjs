// The import rules of the house.
const only = (name, module, places, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^(src|conformance|scripts)/", pathNot: places },
  to: { path: module },
});

/** A room of `src/` knows the rooms it is built on, and never the process that it is a part of. */
const notUpwards = (rooms, above) => ({
  name: "no-import-upwards",
  severity: "error",
  from: { path: `^src/(${rooms})/`, pathNot: "\\.test\\.ts$" },
  to: { path: `^src/((${above})/|(main|cli|service|app|dispatcher)\\.ts$)` },
});

/** Who may be known in a room of the suite: itself, the contract, and these. Tests stand outside. */
const room = (name, comment, ...known) => ({
  name: `no-way-up-from-${name}`,
  comment,
  severity: "error",
  from: { path: `^conformance/${name}/`, pathNot: "\\.test\\.ts$|\\.test-kit\\.ts$" },
  to: { path: "^conformance/", pathNot: `^conformance/(${[`${name}/`, ...known].join("|")})` },
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
    room("client", "What is sent and received, for whoever judges it."),
    room("checks", "A check knows its target and the words for judging it.", "client/"),
    room("report", "A report is plain data.", "client/wire/exchange\\.ts", "checks/check\\.ts"),
    room("engine", "Runs whatever checks it is given.", "client/", "checks/check\\.ts", "report/report\\.ts"),
    room("cli", "Stands above all others.", "client/", "checks/", "report/", "engine/"),
    {
      name: "mutants-do-not-know-who-judges-them",
      comment: "Which check catches a mutant is recorded; only what records it knows the checks.",
      severity: "error",
      from: { path: "^conformance/mutants/(derived|rows|wild|proxy)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^conformance/", pathNot: "^conformance/(mutants|client)/" },
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
      "koa-ends-in-the-app",
      "node_modules/(@types/)?(koa|@koa/router)/",
      "^src/app\\.ts$",
      "Below it a request and an answer are plain values.",
    ),
    notUpwards("log", "protocol|http|keys|storage|docs|pages|management|operations|cli"),
    notUpwards("protocol|http|keys|storage", "docs|pages|management|operations|cli"),
    notUpwards("docs|pages|management", "operations|cli"),
    notUpwards("operations", "http|cli"),
    {
      name: "client-stands-alone",
      comment: "It runs where nothing else of this does, and is sent to browsers: no more than it has to know.",
      severity: "error",
      from: { path: "^src/client/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: "^src/client/|^generated/commands\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    only("client-is-for-others", "^src/client/", "^src/(client|cli)/", "The service knows no client of its own."),
    only("sql-stops-at-storage", "node_modules/(knex|pg|sqlite3)/", "^src/(storage|test)/", "SQL stops at storage."),
    {
      name: "no-tests-in-the-product",
      severity: "error",
      from: { path: "^(src|conformance)/", pathNot: "(\\.test\\.ts|test-kit\\.ts)$|^src/test/|^conformance/mutants/" },
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
    exclude: { path: "(^|/)dist/|scripts/(bench|consumers)/" },
  },
};
