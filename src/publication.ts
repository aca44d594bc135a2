import { type SiteManifest, TRY_IT } from "./server/documents/links.ts";

/** What this service publishes about itself. No request ever adds to it. */
export const publication = {
  documents: {
    README: { label: "Overview", file: "README.md" },
    quickstart: { label: "Quickstart", file: "src/docs/quickstart.md" },
    calling: { label: "Calling the API", file: "src/docs/calling.md" },
    clients: { label: "Clients", file: "src/docs/clients.md" },
    running: { label: "Running it", file: "src/docs/running.md" },
    operating: { label: "Operating it", file: "src/docs/operating.md" },
    deployment: { label: "Deployment reference", file: "scripts/deploy/README.md" },
    keys: { label: "Keys", file: "src/docs/keys.md" },
    checking: { label: "Checking a deployment", file: "conformance/README.md" },
    cost: { label: "What a request costs", file: "src/docs/cost.md" },
    implementations: { label: "Implementations", file: "src/docs/implementations.md" },
    "own-service": { label: "A service of your own", file: "src/docs/own-service.md" },
    extending: { label: "Extending it", file: "src/docs/extending.md" },
    publishing: { label: "Publishing the contract", file: "src/docs/publishing.md" },
    reference: { label: "Operations", file: "generated/docs/reference.md" },
    problems: { label: "Problems", file: "generated/docs/problems.md" },
    contract: { label: "Contract", file: "generated/docs/contract.md" },
    changelog: { label: "Changelog", file: "CHANGELOG.md" },
  },
  sections: {
    Start: ["README", "quickstart"],
    "Call it": ["calling", "clients", "reference", "problems", TRY_IT],
    "Run it": ["running", "operating", "keys", "checking", "deployment"],
    "Build on it": [
      "publishing",
      "extending",
      "own-service",
      "cost",
      "implementations",
      "contract",
      "changelog",
    ],
  },
  status: "sysinfo",
  quickstart: "creates a user in curl, TypeScript, Python and Go",
} satisfies SiteManifest;
