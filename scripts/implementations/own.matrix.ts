// This service on each database and behind each proxy: `npm run implementations`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { file } from "../../conformance/cli/command.test-kit.ts";
import { launch } from "../../conformance/proof/kits/process.test-kit.ts";
import { run as command } from "../../src/test/command.ts";
import { databasesUnderTest } from "../../src/test/databases.ts";
import { BOUND_MS } from "../../src/test/patience.ts";
import { fronts, replicas, startFront } from "../deploy/front.test-kit.ts";
import { badgeName, badgeOf, type Checked, documentOf } from "./document.ts";

const docs = resolve(import.meta.dirname, "../../src/docs");
const checked: Checked[] = [];

const PROXIES = { none: null, nginx: fronts.nginx, Caddy: fronts.caddy, HAProxy: fronts.haproxy };

describe.each(databasesUnderTest())("Atpoint on $name", (kind) => {
  it.each(Object.entries(PROXIES))("behind %s", async (proxy, front) => {
    // Without a proxy, nobody is believed who names another address.
    const { database, all } = await replicas(kind, front ? {} : { TRUST_PROXY_HOPS: "0" });
    const credentials = file("credentials.json");
    await command({ DATABASE_URL: database.url }, "keys", "conformance", "--out", credentials);
    const direct = { url: all[0]?.url ?? "", ca: undefined };
    const { url, ca } = front ? await startFront(front, all) : direct;
    const report = file("report.json");
    const words = ["--seed", "1", "--url", url, "--credentials", credentials];
    const { stdout } = await launch(
      [...words, "--timeout", `${BOUND_MS}`, "--json", report, ...(front?.suiteArguments ?? [])],
      { env: { NODE_EXTRA_CA_CERTS: ca } },
    ).ended;
    expect(stdout).toMatch(/^conformant/m);
    const read = JSON.parse(readFileSync(report, "utf8"));
    checked.push({ server: "Atpoint", database: kind.name, proxy, report: read });
  });
});

afterAll(() => {
  if (checked.length < databasesUnderTest().length * Object.keys(PROXIES).length) return;
  const badges = join(docs, "badges");
  mkdirSync(badges, { recursive: true });
  writeFileSync(join(docs, "implementations.md"), documentOf(checked));
  for (const one of checked)
    writeFileSync(
      join(badges, `${badgeName(one)}.json`),
      `${JSON.stringify(badgeOf(one), null, 2)}\n`,
    );
});
