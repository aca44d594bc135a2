import { readFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { launch, launchProgram } from "../test/process.test-kit.ts";

/** A server whose certificate nobody has signed but itself. */
async function serveTls(): Promise<{ url: string; certificate: string }> {
  const key = file("key.pem");
  const certificate = path.join(path.dirname(key), "certificate.pem");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"];
  await launchProgram("openssl", ["req", "-x509", ...curve, ...name, "-keyout", key, "-out", certificate]).ended;
  const server = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) => {
    response.end("hello");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // It listens on a port, so the address is no path and no null.
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, certificate };
}

describe("a preflight that fails", () => {
  it("says what the base URL is", async () => {
    const url = await deploy();
    const { code, stdout } = await launch(["--url", `${url}/api/`]).ended;
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining(`the base URL is the part before /api/: --url ${url}\n`),
    ]);
  });

  it("says how a certificate is trusted, and so it is", async () => {
    const { url, certificate } = await serveTls();
    const { code, stdout } = await launch(["--url", url]).ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining("NODE_EXTRA_CA_CERTS=FILE")]);
    const trusted = await launch(["--url", url], { env: { API_KEY: KEY, NODE_EXTRA_CA_CERTS: certificate } }).ended;
    expect(trusted.stdout).toContain("preflight, sysinfo answers a JSON document");
    expect(trusted.stdout).not.toContain("NODE_EXTRA_CA_CERTS");
  });
});
