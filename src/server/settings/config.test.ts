import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { definition } from "../../service.ts";
import { environment, readConfig } from "../../test/atpoint.ts";
import { ConfigError } from "./config.ts";
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

  it("names every bad value at once, and shows it unless it may hold a secret", () => {
    const bad = {
      NODE_ENV: "prod",
      PORT: "65536",
      MAX_BODY_BYTES: "1e3",
      LOG_LEVEL: "loud",
      PLATFORMS: "web,,ios",
      CORS_ORIGINS: "https://app.example.com/s3cret",
      DEPLOYMENT_URLS: "https://user:s3cret@one.example",
      DATABASE_URL: "mysql://root:s3cret@db",
      REDIS_URL: "s3cret",
      RATE_LIMIT_KEY: `atp_${"5".repeat(48)}`,
    };
    const message = rejection(bad);
    const named = [...message.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(bad)));
    expect(message).not.toContain("s3cret");
    expect(message).not.toContain("atp_");
    expect(message).toContain('PORT must be a whole number from 0 to 65535, not "65536"\n');
    expect(message).toContain('NODE_ENV must be one of development, production, test, not "prod"');
  });

  it("names a setting that is gone, and what holds instead", () => {
    expect(rejection({ KEY_CACHE_MS: "0" })).toContain(
      "\n  KEY_CACHE_MS was removed in 4.0: an API key is cached for 3 s",
    );
  });

  it("rejects limits that contradict each other", () => {
    const contradicting = {
      HEADERS_TIMEOUT_MS: "40000",
      SHUTDOWN_TIMEOUT_MS: "5000",
    };
    expect(
      rejection({ ...contradicting, MANAGEMENT_PORT: "3000" }),
    ).toBe(`The configuration is not valid:
  MANAGEMENT_PORT must differ from PORT
  HEADERS_TIMEOUT_MS must not be above REQUEST_TIMEOUT_MS
  SHUTDOWN_DELAY_MS and SHUTDOWN_GRACE_MS together must be below SHUTDOWN_TIMEOUT_MS`);
  });

  it.each([
    [
      "DATABASE_URL",
      "must be sqlite:PATH or postgres://",
      "sqlite::memory:|sqlite:|data/atpoint.sqlite|postgres:",
    ],
    [
      "DATABASE_URL",
      "has // after sqlite: write sqlite:/absolute/path or sqlite:relative/path",
      "sqlite://data/a.sqlite|sqlite:///data/a.sqlite|sqlite://",
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
      expect(readConfig({ PS1: `a${control}b`, SECURITY_TXT: "Ä b.txt" }).SECURITY_TXT).toBe(
        "Ä b.txt",
      );
    },
  );

  const DEPLOYMENT_URLS = ["https://two.example", "http://one.example:8080/at"];
  it.each<[NodeJS.ProcessEnv, object]>([
    [{ DEPLOYMENT_URLS: "https://two.example/, http://one.example:8080/at/" }, { DEPLOYMENT_URLS }],
    [{ NODE_ENV: "production" }, { production: true }],
    [{ PLATFORMS: "web, ios" }, { PLATFORMS: ["web", "ios"] }],
    [
      { CORS_ORIGINS: "https://a.example,http://b:8080" },
      { CORS_ORIGINS: ["https://a.example", "http://b:8080"] },
    ],
    [{ NODE_ENV: "test" }, { checkResponses: "throw" }],
    [{ DATABASE_URL: "postgresql://db/atpoint" }, { DATABASE_URL: "postgresql://db/atpoint" }],
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

  it("adds what a file sets, and keeps what is set already", () => {
    expect(environment("/nowhere/.env")).toBe(process.env);
    const read = withFile(
      'DOCS_MAX_AGE_S=17\nHOST=changed\nDATABASE_URL=" sqlite:data/n.sqlite\\n"\r\n',
    );
    vi.stubEnv("HOST", "192.0.2.1");
    for (const name of ["DOCS_MAX_AGE_S", "DATABASE_URL"]) vi.stubEnv(name, undefined);
    expect(read()).toMatchObject({ DOCS_MAX_AGE_S: "17", HOST: "192.0.2.1" });
    expect(readConfig(read()).DATABASE_URL).toBe("sqlite:data/n.sqlite");
  });

  it("reports a folder in its place", () => {
    expect(() => environment(tmpdir())).toThrow(/ {2}.* is a folder/);
  });

  it.each([
    ["LOGLEVEL", "(did you mean LOG_LEVEL?)"],
    ["PROT", "(did you mean PORT?)"],
    ["FOO", "is not a setting of Atpoint; .env.example"],
    ["CACHE", "is not a setting of Atpoint; .env.example"],
  ])("suggests a known name for %s only when it is near", (name, text) => {
    const read = withFile(`${name}=1\n`);
    vi.stubEnv(name, undefined);
    expect(read).toThrow(text);
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

/** What Docker, systemd, Kubernetes, a shell, npm and POSIX (XBD 8.1) set. */
const ofOthers = `
  npm_config_prefix npm_execpath npm_lifecycle_event npm_package_name INIT_CWD NODE COLOR
  ARFLAGS CC CDPATH CFLAGS CHARSET COLUMNS DATEMSK DEAD EDITOR ENV EXINIT FC FCEDIT FFLAGS GET
  GFLAGS HISTFILE HISTORY HISTSIZE IFS LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY
  LC_NUMERIC LC_TIME LDFLAGS LEX LFLAGS LINENO LINES LISTER LPDEST MAIL MAILCHECK MAILER MAILPATH
  MAILRC MAKEFLAGS MAKESHELL MANPATH MBOX MORE MSGVERB NLSPATH NPROC OLDPWD OPTARG OPTERR OPTIND
  PAGER PPID PRINTER PROCLANG PROJECTDIR PS1 PS2 PWD RANDOM SECONDS TERM TERMCAP TERMINFO TMPDIR
  VISUAL YACC YFLAGS
  HOME HOSTNAME HOSTTYPE LOGNAME PATH SHELL TZ USER NODE_OPTIONS DATABASE_HOST DATABASE_PASSWORD
  REDIS_HOST REDIS_PORT POSTGRES_HOST LISTEN_PID LOGS_DIRECTORY KUBERNETES_PORT DATABASE_PORT
  REDIS_SERVICE_HOST ATPOINT_PORT MANAGEMENT_SERVICE_PORT NODE_NAME POD_NAMESPACE`;

it("warns of a misspelt setting, and of no other variable", () => {
  const meant = {
    DATABSE_URL: "DATABASE_URL",
    DATABASE_ULR: "DATABASE_URL",
    DEPLOYMENT_URL: "DEPLOYMENT_URLS",
    "MANAGEMENT-PORT": "MANAGEMENT_PORT",
    PROT: "PORT",
    HOSTS: "HOST",
  };
  const unlike = ["PLATFORM", "API_KEY", "DATABSE_ULR", "DATABASE", "POR"];
  const names = [...ofOthers.trim().split(/\s+/), ...settings, ...unlike, ...Object.keys(meant)];
  const warnings = misspeltSettings(
    definition,
    Object.fromEntries(names.map((name) => [name, "s3cret"])),
  );
  const expected = Object.entries(meant).map(
    ([name, setting]) => `${name} is set and has no effect: did you mean ${setting}?`,
  );
  expect(warnings).toEqual(expected);
});
