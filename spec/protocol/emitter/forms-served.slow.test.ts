// A service of the spec with every form: what its handlers get and its callers are told, and that
// the suite finds it right.
import { Validator } from "@seriousme/openapi-schema-validator";
import supertest from "supertest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { file } from "../../../conformance/cli/command.test-kit.ts";
import { bundledCommand, launchProgram } from "../../../conformance/proof/kits/process.test-kit.ts";
import type { RequestContext } from "../../../src/server/handler.ts";
import { HandlerResponse } from "../../../src/server/response/response.ts";
import { type Service, startService } from "../../../src/server/service.ts";
import { readConfig } from "../../../src/server/settings/config.ts";
import { protocolMigrations } from "../../../src/server/storage/protocol-migrations.ts";
import { keyIn, sqlite } from "../../../src/test/databases.ts";
import { BOUND_MS, patience } from "../../../src/test/patience.ts";
import { inPlace, member, SPEC } from "./forms.test-kit.ts";
import { contractIn, generateFrom } from "./write.test-kit.ts";

let files: ReadonlyMap<string, string>;
let database: Awaited<ReturnType<typeof sqlite.fresh>>;
let service: Service;
let seen: { readonly input: object; readonly headers: object };

/** Its members have the names of inputs, and values of their own. */
const ANSWER = Object.fromEntries(
  inPlace("response").map(({ index, values }) => [member(index), values.right[0]]),
);

const keep = (input: object, { headers }: RequestContext<unknown, Record<string, unknown>>) => {
  if (headers["X-By"] === "boom") throw new Error("there is no such form");
  seen = { input, headers };
  return ANSWER;
};
const handlers = {
  "form.find": keep,
  "form.add": keep,
  "form.read"(input: object, { mediaType }: RequestContext) {
    seen = { input, headers: {} };
    return new HandlerResponse(
      mediaType === "text/plain"
        ? { status: 200, mediaType, body: "a form" }
        : { status: 200, mediaType: "application/json", body: ANSWER },
    );
  },
};

beforeAll(async () => {
  files = await generateFrom(SPEC);
  database = await sqlite.fresh();
  const contract = await contractIn(files);
  const definition = {
    name: "forms",
    contract,
    migrations: protocolMigrations,
    services: () => ({}),
    handlers,
  };
  const env = {
    DATABASE_URL: database.url,
    NODE_ENV: "test",
    PORT: "0",
    MANAGEMENT_PORT: "off",
  };
  service = await startService(
    definition,
    readConfig({ ...patience, ...env, LOG_LEVEL: "silent" }, definition),
  );
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const find = (query = "") => supertest(service.url).get(`/api/?@=form.find${query}`);
const add = (data: object) => supertest(service.url).post("/api/").send({ "@": "form.add", data });

it("is written as valid OpenAPI 3.1", async () => {
  for (const [path, text] of files)
    if (path.startsWith("openapi"))
      expect([path, await new Validator().validate(text)]).toMatchObject([path, { valid: true }]);
});

it("gives a handler values of their types, and defaults for those that were not sent", async () => {
  await find("&sizes=1,2&f0=a+b%2B").expect(422);
  await find("&sizes=1,2&f0=ab").expect(200);
  expect(seen.input).toMatchObject({ times: 3, sizes: [1, 2], f0: "ab" });
  expect(seen.input).not.toHaveProperty("f1");
  await add({ f0: "abc" }).set({ "x-by": "Ada", "X-f0": "ab" }).expect(200);
  expect(seen).toMatchObject({ input: { f0: "abc" }, headers: { "X-By": "Ada", "X-Most": 3 } });
  expect(Object.keys(seen.headers)).toHaveLength(2);
});

it("finds each part of a name, whatever groups its pattern has", async () => {
  await supertest(service.url).get("/api/?@=form.read.ab.42").expect(200);
  expect({ ...seen.input }).toEqual({ part: "ab", nr: "42" });
  await supertest(service.url).get("/api/?@=form.read.abc.42").expect(404);
});

it("says that an operation is deprecated, and of no other", async () => {
  const { headers } = await add({}).set("X-By", "Ada").expect(200);
  expect(headers).toMatchObject({
    deprecation: "@1769817600",
    sunset: "Sun, 31 Jan 2027 00:00:00 GMT",
    link: '<https://forms.invalid/>; rel="deprecation"',
  });
  expect((await find().expect(200)).headers).not.toHaveProperty("deprecation");
});

it("answers 500 and nothing more when a handler fails", async () => {
  const { body } = await add({}).set("X-By", "boom").expect(500);
  expect(body.code).toBe("internal-error");
  expect(JSON.stringify(body)).not.toContain("no such form");
});

it("is conformant, also for requests and sequences that no check has", async () => {
  const env = { API_KEY: await keyIn(service.storage.keys), PLATFORM: "web" };
  const contract = file("contract.json", files.get("contract.json"));
  const target = ["--contract", contract, "--url", service.url, "--timeout", `${BOUND_MS}`];
  const words = [bundledCommand(), ...target, "--explore", "600", "--seed", "1"];
  const { code, stdout, stderr } = await launchProgram(process.execPath, words, { env }).ended;
  expect(`${code}\n${stdout}${stderr}`).toMatch(/^0\n.*conformant/s);
});
