import type { Contract } from "../oracle/contract.ts";
import type { World } from "../oracle/world.ts";
import { kindsOf } from "./credentials.ts";
import type { Caller } from "./draft.ts";
import type { Source } from "./generate.ts";

/** A deployment that holds the examples of its contract, and nothing else, and a caller with these kinds of other keys. */
export function sampleOf(
  contract: Contract,
  paths: readonly string[],
  { host = "127.0.0.1:1", kinds = kindsOf(contract) } = {},
) {
  const operations = Object.values(contract.operations);
  const keyOf = (kind: string) =>
    `atp_${Buffer.from(host + kind)
      .toString("hex")
      .padEnd(48, "0a1b2c3d")
      .slice(0, 48)}`;
  const credentials = (kind: string) => ({ key: keyOf(kind), platform: kind === "otherPlatform" ? "another" : "web" });
  const scopesOf = (kind: string) =>
    kind === "noScopes" ? [] : contract.scopes.filter((one) => one === kind || !contract.scopes.includes(kind));
  const caller: Caller = {
    ...{ host, ...credentials("full"), canary: "zqxzjkvwqxzj" },
    others: Object.fromEntries(kinds.map((kind) => [kind, credentials(kind)])),
  };
  const names = operations.flatMap(({ id, pattern, name, example, parts: [part = ""] }) =>
    pattern === null
      ? []
      : [[id, new Set([example[part], "another"].map((one) => name.replace(`{${part}}`, String(one))))] as const],
  );
  const world: World = {
    keys: new Map(
      ["full", ...kinds].map((kind) => [
        keyOf(kind),
        {
          scopes: scopesOf(kind),
          platforms: [credentials(kind).platform],
          valid: kind !== "expired" && kind !== "revoked",
        },
      ]),
    ),
    platforms: ["web", "another"],
    files: new Set(paths),
    names: new Map(names),
    ...{ cursors: new Map(), tags: new Map(), created: new Map(), taken: new Map() },
  };
  const source: Source = { caller, inputs: new Map(operations.map(({ id, example }) => [id, example])) };
  return { source, world };
}
