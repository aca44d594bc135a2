import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { definition } from "../../service.ts";
import { environment, readConfig } from "../../test/atpoint.ts";
import { ConfigError, ownUrl } from "./config.ts";
import { misspeltSettings } from "./environment.ts";
import { variablesOf } from "./variables.ts";

const settings = Object.keys(variablesOf(definition));
const example = parseEnv(readFileSync(new URL("../../../.env.example", import.meta.url), "utf8"));

function rejection(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error("expected a ConfigError");
}

describe("readConfig", () => {
  it("has every variable in .env.example, with the same default", () => {
    expect(Object.keys(example).sort()).toEqual([...settings].sort());
    expect(readConfig(example)).toEqual(readConfig({}));
  });

  it("names every bad value at once and repeats none of them", () => {
    const bad = {
      ...{
        NODE_ENV: "prod",
        PORT: "65536",
        MAX_BODY_BYTES: "1e3",
        KEY_CACHE_MS: "5000",
        LOG_LEVEL: "loud",
      },
      ...{ PLATFORMS: "web,,ios", CORS_ORIGINS: "https://app.example.com/s3cret" },
      ...{
        DEPLOYMENT_URLS: "https://user:s3cret@one.example",
        DATABASE_URL: "mysql://root:s3cret@db",
      },
    };
    const message = rejection(bad);
    const named = [...message.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(bad)));
    expect(message).not.toContain("s3cret");
    expect(message).toContain("PORT must be a whole number from 0 to 65535");
  });

  it("names each number that is none, also those that are compared with another", () => {
    const numbers = settings.filter((name) => /_(?:MS|BYTES)$/.test(name));
    const message = rejection(Object.fromEntries(numbers.map((name) => [name, "2s"])));
    for (const name of numbers) expect(message).toContain(`\n  ${name} must be a whole number`);
  });

  it("rejects limits that contradict each other", () => {
    const together = {
      HEADERS_TIMEOUT_MS: "40000",
      PARSER_HEADER_BYTES: "20000",
      SHUTDOWN_TIMEOUT_MS: "5000",
    };
    expect(
      rejection({ ...together, MANAGEMENT_PORT: "3000" }),
    ).toBe(`The configuration is not valid:
  MANAGEMENT_PORT must differ from PORT
  HEADERS_TIMEOUT_MS must not be above REQUEST_TIMEOUT_MS
  SHUTDOWN_DELAY_MS and SHUTDOWN_GRACE_MS together must be below SHUTDOWN_TIMEOUT_MS
  PARSER_HEADER_BYTES must be at least MAX_URL_BYTES and MAX_HEADER_BYTES together`);
  });

  it.each([
    [
      "DATABASE_URL",
      "must be sqlite:PATH or postgres://",
      "sqlite::memory:|sqlite:|data/atpoint.sqlite|postgres:",
    ],
    [
      "DEPLOYMENT_URLS",
      "must be absolute http(s) URLs",
      "ftp://a|/api|https://a/?a=1|https://a/#a|https://a,",
    ],
    [
      "DEPLOYMENT_URLS",
      "must be absolute http(s) URLs",
      "https://a/ https://b|https://a/a b|https://a\u00a0https://b",
    ],
  ])("%s %s, not %s", (name, message, values) => {
    for (const value of values.split("|"))
      expect(rejection({ [name]: value })).toContain(`${name} ${message}`);
  });

  it.each(["0 0", "4000 0", "4000 4001", "4000 off", "65535 "])(
    "takes the two ports %s",
    (ports) => {
      const [PORT, MANAGEMENT_PORT] = ports.split(" ");
      expect(readConfig({ PORT, MANAGEMENT_PORT }).port).toBe(Number(PORT));
    },
  );

  it("takes white space from the ends of every value, and an empty one as not set", () => {
    expect(readConfig({ PORT: "", DATABASE_URL: " " })).toEqual(readConfig({}));
    const spaced = Object.entries(example).map(([name, value]) => [name, ` \t${value}\r\n`]);
    expect(readConfig(Object.fromEntries(spaced))).toEqual(readConfig({}));
    expect(readConfig({ OTEL_TRACES_EXPORTER: "otlp\n" }).tracing).toBe("http/protobuf");
  });

  it.each(["\n", "\t", "\0", "\u0085"])(
    "names every setting with %j within its value",
    (control) => {
      const says = "must not contain a control character, such as a line break or a tab";
      const messageOf = (name: string) => `The configuration is not valid:\n  ${name} ${says}`;
      for (const name of settings)
        expect(rejection({ [name]: `s3cret${control}s3cret` })).toBe(messageOf(name));
      expect(readConfig({ PS1: `a${control}b`, SECURITY_TXT: "Ä b.txt" }).securityTxt).toBe(
        "Ä b.txt",
      );
    },
  );

  const deploymentUrls = ["https://two.example", "http://one.example:8080/at"];
  it.each<[NodeJS.ProcessEnv, object]>([
    [{ DEPLOYMENT_URLS: "https://two.example/, http://one.example:8080/at/" }, { deploymentUrls }],
    [{ NODE_ENV: "production" }, { production: true }],
    [{ PLATFORMS: "web, ios" }, { platforms: ["web", "ios"] }],
    [
      { CORS_ORIGINS: "https://a.example,http://b:8080" },
      { corsOrigins: ["https://a.example", "http://b:8080"] },
    ],
    [{ CHECK_ANSWERS: "throw" }, { checkAnswers: "throw" }],
    [{ DATABASE_URL: "postgresql://db/atpoint" }, { database: { url: "postgresql://db/atpoint" } }],
  ])("reads %j", (env, expected) => {
    expect(readConfig(env)).toMatchObject(expected);
  });
});

describe("environment", () => {
  /** Reads such a file. Other tests of this process do not get what it sets. */
  function withFile(text: string) {
    const before = new Set(Object.keys(process.env));
    const folder = mkdtempSync(join(tmpdir(), "atpoint-"));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      for (const name of Object.keys(process.env)) if (!before.has(name)) delete process.env[name];
      rmSync(folder, { recursive: true });
    });
    writeFileSync(join(folder, ".env"), text);
    return () => environment(join(folder, ".env"));
  }

  it("adds what a file sets, without white space at its ends, and keeps what is set already", () => {
    expect(environment("/nowhere/.env")).toBe(process.env);
    const read = withFile(
      'DOCS_MAX_AGE_S=17\nHOST=changed\nDATABASE_URL=" sqlite:data/n.sqlite\\n"\r\n',
    );
    vi.stubEnv("HOST", "192.0.2.1");
    for (const name of ["DOCS_MAX_AGE_S", "DATABASE_URL"]) vi.stubEnv(name, undefined);
    expect(read()).toMatchObject({ DOCS_MAX_AGE_S: "17", HOST: "192.0.2.1" });
    expect(readConfig(read()).database.url).toBe("sqlite:data/n.sqlite");
  });

  it("reports a folder in its place", () => {
    expect(() => environment(tmpdir())).toThrow(/ {2}.* is a folder/);
  });

  const unknown = "DATABSE_URL=postgres://s3cret\nMAX_BODY=1\nconstructor=1\nPORT=x\n";
  const unread = "# HOST\nHOST: s3cret\nDATABASE_URL\nDOCS_MAX_AGE_S=17\n";
  it.each([
    [unknown, /^ {2}DATABSE_URL .*\n {2}MAX_BODY .*\n {2}constructor .*\n {2}PORT must/m],
    ["s3cret stuff=1\n", /a line of .* is not of the form NAME=value/],
    [unread, /^ {2}HOST in .* has no value: write HOST=….*\n {2}DATABASE_URL in /m],
  ])("reports what is wrong in %j, all at once, and repeats no value", (text, message) => {
    const read = withFile(text);
    vi.stubEnv("PORT", undefined);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(message);
    expect(read).not.toThrow("s3cret");
  });

  it("lets pass what others read: the suite, the tests, PostgreSQL's client, Node.js", () => {
    const names = ["API_KEY", "PLATFORM", "TEST_POSTGRES_URL", "PGSSLMODE", "NODE_OPTIONS", "TZ"];
    const read = withFile([...names, ...settings].map((name) => `${name}=\n`).join(""));
    for (const name of names) vi.stubEnv(name, "set");
    expect(read()).toBe(process.env);
  });
});

/** What Docker, systemd, Kubernetes and a shell set. */
const ofOthers = `
  COLORTERM DISPLAY EDITOR HISTSIZE HOME HOSTNAME HOSTTYPE LANG LOGNAME MAIL OLDPWD PATH PS1 PWD SHELL SHLVL TERM TMPDIR TZ USER
  NODE_OPTIONS NODE_PATH NODE_VERSION YARN_VERSION DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME DATABASE_PASSWORD
  REDIS_HOST REDIS_PORT REDIS_PASSWORD DB_PORT_5432_TCP_ADDR DB_ENV_POSTGRES_PASSWORD POSTGRES_HOST POSTGRES_PASSWORD
  MALLOC_ARENA_MAX LISTEN_FDS LISTEN_PID LOGS_DIRECTORY MAINPID RUNTIME_DIRECTORY STATE_DIRECTORY KUBERNETES_PORT
  KUBERNETES_PORT_443_TCP KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS
  DATABASE_PORT_5432_TCP DATABASE_SERVICE_HOST DATABASE_SERVICE_PORT REDIS_PORT_6379_TCP REDIS_SERVICE_HOST REDIS_SERVICE_PORT
  ATPOINT_PORT ATPOINT_SERVICE_HOST MANAGEMENT_SERVICE_PORT NODE_NAME NODE_IP POD_NAME POD_IP POD_NAMESPACE`;

it("warns of a misspelt setting, without its value, and not of others, of two wrong letters and of short names", () => {
  const meant = {
    ...{ DATABSE_URL: "DATABASE_URL", DATABASE_ULR: "DATABASE_URL", DATABASE_URLS: "DATABASE_URL" },
    ...{
      DEPLOYMENT_URL: "DEPLOYMENT_URLS",
      "MANAGEMENT-PORT": "MANAGEMENT_PORT",
      ONDE_ENV: "NODE_ENV",
    },
  };
  const unlike = ["PLATFORM", "API_KEY", "DATABSE_ULR", "DATABASE", "PROT", "HOSTS"];
  const names = [...ofOthers.trim().split(/\s+/), ...settings, ...unlike, ...Object.keys(meant)];
  const warnings = misspeltSettings(
    definition,
    Object.fromEntries(names.map((name) => [name, "s3cret"])),
  );
  const expected = Object.entries(meant).map(
    ([name, one]) => `${name} is set and has no effect: did you mean ${one}?`,
  );
  expect(warnings).toEqual(expected);
});

it.each([
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["0.0.0.0", "http://localhost:3000"],
  ["::", "http://localhost:3000"],
  ["::1", "http://[::1]:3000"],
])("shows %s as %s", (host, url) => {
  expect(ownUrl(host, 3000)).toBe(url);
});
