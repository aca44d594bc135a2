// The import rules of the house.
const only = (name, module, places, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^(src|conformance|scripts|spec)/", pathNot: places },
  to: { path: module },
});

/** The floors of the server, from below: a floor knows itself and those beneath it. */
const FLOORS = [
  ["(contract|problem|safe-error|key-form|clock|in-time)\\.ts", "settings/", "log/"],
  [
    "request/",
    "response/",
    "keys/",
    "limits/",
    "resources/",
    "storage/",
    "(overload-guard|handler-calls)\\.ts",
  ],
  [
    "(dispatch|handler|app|http-server|client-connection|sliced-socket|time-sliced-queue)\\.ts",
    "documents/",
    "management/",
  ],
  ["(service|definition|index)\\.ts", "cli/"],
];
const floor = (level) => `^src/server/(${FLOORS[level].join("|")})`;
const noArrowUp = FLOORS.slice(0, -1).map((_, level) => ({
  name: `no-arrow-up-from-floor-${level}`,
  severity: "error",
  from: { path: floor(level), pathNot: "\\.test\\.ts$" },
  to: {
    path: FLOORS.slice(level + 1)
      .map((_, above) => floor(level + 1 + above))
      .join("|"),
  },
}));

/** The layers of the suite, from below: each knows itself and those before it. */
const LAYERS = [
  "oracle/",
  "exchange\\.ts",
  "requests/",
  "http/",
  "secrets/",
  "laws/",
  "model/",
  "run/",
  "scenarios/",
  "sockets/",
  "golden/",
  "recorded/",
  "extension\\.ts",
  "extensions/",
  "given/",
  "(suite|check-extension|complete-contract|contract|packaged)\\.ts",
  "report/",
  "cli/",
  "index\\.ts",
];
/** Tests stand outside. */
const layers = LAYERS.slice(0, -1).map((layer, at) => ({
  name: `no-way-up-from-${layer.replaceAll(/\W/g, "")}`,
  severity: "error",
  from: { path: `^conformance/${layer}`, pathNot: "\\.test\\.ts$|\\.test-kit\\.ts$" },
  to: { path: `^conformance/(${LAYERS.slice(at + 1).join("|")})` },
}));

export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "conformance-is-a-black-box",
      comment:
        "The suite knows a URL and generated/, never the service. Its proof serves contracts of its own.",
      severity: "error",
      from: { path: "^conformance/", pathNot: "\\.test\\.ts$|^conformance/proof/effects/" },
      // What tests have in common: how long they wait, and programs in one file.
      to: { path: "^(src|scripts|spec)/", pathNot: "^src/test/(patience|bundle)\\.ts$" },
    },
    {
      name: "one-contract-at-run-time",
      comment: "The suite takes the contract as one value, which `--contract` may replace.",
      severity: "error",
      from: {
        path: "^conformance/",
        // What is served is compared with the published documents themselves.
        pathNot:
          "\\.test\\.ts$|\\.test-kit\\.ts$|^conformance/(contract|packaged|extensions/atpoint/published)\\.ts$",
      },
      to: { path: "^generated/" },
    },
    {
      name: "one-contract-one-file",
      severity: "error",
      from: { path: "^conformance/contract\\.ts$" },
      to: { path: "^generated/", pathNot: "^generated/contract\\.json$" },
    },
    ...layers,
    {
      name: "extensions-have-their-interface-alone",
      comment: "What this service's extension needs, anybody's can have.",
      severity: "error",
      from: { path: "^conformance/extensions/", pathNot: "\\.test\\.ts$|/golden/" },
      to: { path: "^conformance/", pathNot: "^conformance/(extensions/|extension\\.ts$)" },
    },
    {
      name: "golden-exchanges-of-extensions-have-their-table-alone",
      severity: "error",
      from: { path: "^conformance/extensions/[^/]+/golden/" },
      to: {
        path: "^conformance/",
        pathNot: "^conformance/(extensions/[^/]+/golden/|golden/table\\.ts$)",
      },
    },
    {
      name: "golden-exchanges-follow-from-nothing",
      comment:
        "Only `compare` of the laws: what is right, the table says, neither the oracle nor a prediction.",
      severity: "error",
      from: {
        path: "^conformance/golden/",
        pathNot: "\\.test\\.ts$|\\.test-kit\\.ts$",
      },
      to: {
        path: "^conformance/(oracle|requests|model|laws)/",
        pathNot: "^conformance/laws/compare\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-run-knows-its-proof",
      comment: "The proof knows the suite, and no run imports it.",
      severity: "error",
      from: {
        path: "^conformance/",
        pathNot: "^conformance/proof/|\\.test\\.ts$|\\.test-kit\\.ts$",
      },
      to: { path: "^conformance/proof/" },
    },
    {
      name: "broken-servers-do-not-know-what-finds-them",
      comment: "A broken server knows the contract, HTTP and the proxy, and no check.",
      severity: "error",
      from: {
        path: "^conformance/proof/(broken|right|proxy)/",
        pathNot: "\\.test\\.ts$|\\.test-kit\\.ts$",
      },
      to: {
        path: "^conformance/",
        pathNot:
          "^conformance/(proof/((broken|right|proxy)/|operations\\.ts$)|http/|oracle/(contract|model-state)\\.ts$|(exchange|packaged|run/random)\\.ts$)",
      },
    },
    {
      name: "service-does-not-know-its-judge",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(conformance|scripts|spec)/" },
    },
    {
      name: "spec-library-stands-alone",
      comment:
        "It is a package: it knows the compiler, and nothing of a service. Its tests serve and check specs of their own.",
      severity: "error",
      from: { path: "^spec/protocol/", pathNot: "\\.test\\.ts$|\\.test-kit\\.ts$" },
      to: { path: "^(src|generated|conformance|scripts|spec)/", pathNot: "^spec/protocol/" },
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
      "^src/server/app\\.ts$",
      "Below it a request and an answer are plain values.",
    ),
    {
      name: "server-stands-alone",
      comment: "It is a package: the contract and the service are values that it is given.",
      severity: "error",
      from: { path: "^src/server/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(src|generated|spec|conformance|scripts)/", pathNot: "^src/server/" },
    },
    ...noArrowUp,
    {
      name: "client-stands-alone",
      comment:
        "It runs where nothing else of this does, and is sent to browsers: no more than it has to know.",
      severity: "error",
      from: { path: "^src/client/", pathNot: "\\.test(-kit)?\\.ts$" },
      to: { pathNot: "^src/client/|^generated/commands\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    only(
      "client-is-for-others",
      "^src/client/",
      "^src/client/",
      "The service knows no client of its own.",
    ),
    only(
      "sql-stops-at-storage",
      "node_modules/(knex|pg|sqlite3)/",
      "^src/(server/storage/|server/resources/|stores/|migrations\\.ts|test/)",
      "SQL stops at storage.",
    ),
    {
      name: "no-tests-in-the-product",
      severity: "error",
      from: {
        path: "^(src|conformance)/",
        pathNot: "(\\.test\\.ts|test-kit\\.ts)$|^src/test/|^conformance/proof/",
      },
      to: { path: "\\.test\\.ts$|test-kit|^src/test/|node_modules/vitest/" },
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
