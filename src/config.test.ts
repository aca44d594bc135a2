import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigError, environment, ownUrl, readConfig } from "./config.ts";
import { variables } from "./variables.ts";

const example = parseEnv(readFileSync(new URL("../.env.example", import.meta.url), "utf8"));

function refusal(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error("expected a ConfigError");
}

describe("readConfig", () => {
  it("has every variable in .env.example, with the same default", () => {
    expect(Object.keys(example).sort()).toEqual(Object.keys(variables).sort());
    expect(readConfig(example)).toEqual(readConfig({}));
  });

  it("takes an empty variable as not set", () => {
    expect(readConfig({ PORT: "", DATABASE_URL: "" })).toEqual(readConfig({}));
  });

  it("names every bad value at once and repeats none of them", () => {
    const bad = {
      NODE_ENV: "prod",
      PORT: "65536",
      MAX_BODY_BYTES: "1e3",
      KEY_CACHE_MS: "5000",
      LOG_LEVEL: "loud",
      PLATFORMS: "web,,ios",
      DEPLOYMENT_URLS: "https://user:s3cret@one.example",
      CORS_ORIGINS: "https://app.example.com/s3cret",
      DATABASE_URL: "mysql://root:s3cret@db",
    };
    const message = refusal(bad);
    const named = [...message.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(bad)));
    expect(message).not.toContain("s3cret");
    expect(message).toContain("PORT must be a whole number from 0 to 65535");
  });

  it("names a number that is none, also where it is compared with another", () => {
    const names = Object.keys(variables).filter((name) => /_(?:MS|BYTES)$/.test(name));
    const bad = { ...Object.fromEntries(names.map((name) => [name, "2s"])), PORT: "4100x" };
    const message = refusal(bad);
    for (const name of Object.keys(bad))
      expect([name, message]).toEqual([name, expect.stringContaining(`\n  ${name} `)]);
    for (const name of names) expect(refusal({ [name]: "2s", PORT: "4100x" })).toContain("PORT must be");
  });

  it("refuses limits that contradict each other", () => {
    const message = refusal({
      HEADERS_TIMEOUT_MS: "40000",
      PARSER_HEADER_BYTES: "20000",
      SHUTDOWN_TIMEOUT_MS: "5000",
    });
    expect(message).toContain("SHUTDOWN_DELAY_MS and SHUTDOWN_GRACE_MS together must be below SHUTDOWN_TIMEOUT_MS");
    expect(message).toContain("HEADERS_TIMEOUT_MS must not be above REQUEST_TIMEOUT_MS");
    expect(message).toContain("PARSER_HEADER_BYTES must be at least MAX_URL_BYTES and MAX_HEADER_BYTES together");
  });

  it.each(["ftp://one.example", "/api", "https://one.example/?a=1", "https://one.example/#a", "https://a.example,"])(
    "refuses %s as a deployment",
    (text) => {
      expect(refusal({ DEPLOYMENT_URLS: text })).toContain("DEPLOYMENT_URLS must be absolute http(s) URLs");
    },
  );

  it("strips the trailing slash of each deployment and keeps the order", () => {
    const { deploymentUrls } = readConfig({ DEPLOYMENT_URLS: "https://two.example/, http://one.example:8080/at/" });
    expect(deploymentUrls).toEqual(["https://two.example", "http://one.example:8080/at"]);
  });

  it.each(["sqlite::memory:", "sqlite:", "data/atpoint.sqlite", "postgres:"])("refuses %s as a database", (text) => {
    expect(refusal({ DATABASE_URL: text })).toContain("DATABASE_URL must be sqlite:PATH or postgres://");
  });

  it("reads the lists, the choices and port 0", () => {
    const config = readConfig({
      PORT: "0",
      NODE_ENV: "production",
      PLATFORMS: "web, ios",
      CORS_ORIGINS: "https://a.example,http://localhost:8080",
      CHECK_ANSWERS: "throw",
      DATABASE_URL: "postgresql://db/atpoint",
    });
    expect(config).toMatchObject({
      port: 0,
      production: true,
      platforms: ["web", "ios"],
      corsOrigins: ["https://a.example", "http://localhost:8080"],
      checkAnswers: "throw",
      database: { url: "postgresql://db/atpoint" },
    });
  });
});

describe("environment", () => {
  let file: string;
  beforeEach(() => {
    file = join(mkdtempSync(join(tmpdir(), "atpoint-")), ".env");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(dirname(file), { recursive: true });
  });

  it("adds what a file sets, and keeps what is set already", () => {
    expect(environment(file)).toBe(process.env);
    vi.stubEnv("HOST", "192.0.2.1");
    vi.stubEnv("DOCS_MAX_AGE_S", undefined);
    writeFileSync(file, "DOCS_MAX_AGE_S=17\nHOST=changed\n");
    expect(environment(file)).toMatchObject({ DOCS_MAX_AGE_S: "17", HOST: "192.0.2.1" });
  });

  it("says that there is a folder in its place", () => {
    expect(() => environment(dirname(file))).toThrow(/ {2}.* is a folder/);
  });

  it("names every name that nothing reads, and every bad value, at once and without the values", () => {
    vi.stubEnv("PORT", undefined);
    writeFileSync(file, "DATABSE_URL=postgres://s3cret\nMAX_BODY=1\nconstructor=1\nPORT=x\n");
    const refused = () => environment(file);
    expect(refused).toThrow(ConfigError);
    expect(refused).toThrow(/^ {2}DATABSE_URL .*\n {2}MAX_BODY .*\n {2}constructor .*\n {2}PORT must/m);
    expect(refused).not.toThrow("s3cret");
  });

  it("says that a line has no name, without the line", () => {
    writeFileSync(file, "s3cret stuff=1\n");
    expect(() => environment(file)).toThrow(/a line of .* is not of the form NAME=value/);
    expect(() => environment(file)).not.toThrow("s3cret");
  });

  it("names a line that sets nothing, for want of an =", () => {
    writeFileSync(file, "# HOST\nHOST: s3cret\nDATABASE_URL\nDOCS_MAX_AGE_S=17\n");
    const refused = () => environment(file);
    expect(refused).toThrow(/^ {2}HOST in .* has no value: write HOST=….*\n {2}DATABASE_URL in /m);
    expect(refused).not.toThrow("s3cret");
  });

  it("lets pass what others read: the suite, the tests, PostgreSQL's client, Node.js", () => {
    const names = ["API_KEY", "PLATFORM", "TEST_POSTGRES_URL", "PGSSLMODE", "NODE_OPTIONS", "TZ"];
    for (const name of names) vi.stubEnv(name, "set");
    writeFileSync(file, [...names, ...Object.keys(variables)].map((name) => `${name}=\n`).join(""));
    expect(environment(file)).toBe(process.env);
  });
});

describe("ownUrl", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:3000"],
    ["0.0.0.0", "http://localhost:3000"],
    ["::", "http://localhost:3000"],
    ["::1", "http://[::1]:3000"],
  ])("shows %s as %s", (host, url) => {
    expect(ownUrl(host, 3000)).toBe(url);
  });
});
