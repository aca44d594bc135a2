// Lists of another service: ids of every type, further parameters, no order; right, and each wrong
// in one way.
import { afterAll, beforeAll, expect, it } from "vitest";
import { HEAD } from "../../spec/protocol/emitter/forms.test-kit.ts";
import { contractIn, generateFrom } from "../../spec/protocol/emitter/write.test-kit.ts";
import { pageOf } from "../../src/server/resources/pages.ts";
import { HandlerResponse } from "../../src/server/response/response.ts";
import { type Service, startService } from "../../src/server/service.ts";
import { readConfig } from "../../src/server/settings/config.ts";
import type { Id, ReadPage } from "../../src/server/storage/driver.ts";
import { protocolMigrations } from "../../src/server/storage/protocol-migrations.ts";
import { sqlite } from "../../src/test/databases.ts";
import { patience } from "../../src/test/patience.ts";
import { readContract } from "../oracle/read-contract.ts";
import { runAt } from "../proof/service.ts";
import type { Suite } from "../run/state.ts";
import { createSuite } from "../suite.ts";

const list = (name: string, input: string, page: string, decorators = "") =>
  `@summary("x") @doc("x") @useAuth(NoAuth) ${decorators}
   op ${name}List is Atpoint.Query<
     "${name}.list", { ...PageParameters; ${input} }, OkPage<${page}> | InvalidCursor
   >;`;
const SPEC = `${HEAD}
model NewThing { ...Record<never>; @maxLength(20) text: string; version: int32; }
model Thing { id: int32; ...NewThing; } model Things is Page<Thing>;
model Word { id: string } model Words is Page<Word>;
${list("thing", "@query text?: string; @query kinds?: string[] = #[]", "Things")}
${list("word", "", "Words")} ${list("pick", "", "Words", "@unordered")}
@opExample(#{ parameters: #{ body: #{ \`@\`: "thing.add", data: #{ text: "one", version: 3 } } } })
@summary("x") @doc("x") @useAuth(NoAuth)
op thingAdd is Command<"thing.add", NewThing, Created<Thing>>;`;

interface Thing {
  readonly id: Id;
  readonly text?: string;
}
interface Input {
  readonly limit: number;
  readonly cursor?: string;
  readonly text?: string;
}

/** The defect of the service; none where it is empty. */
let defect = "";
const WORDS = ["", "10", "9", "B", "a", "é", "\uffee", "\u{1f600}"].map((id) => ({ id }));
const PICKS = ["d", "a", "10", "c", "9", "b"].map((id) => ({ id }));
let things: Thing[] = [];

/** Pages of these as they are sorted. */
const reader =
  (all: readonly Thing[]): ReadPage =>
  async ({ after, limit }) => {
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const items = all.slice(from, from + limit);
    const last = items.at(-1)?.id ?? null;
    return { items: JSON.stringify(items), last, more: from + limit < all.length };
  };
const handlers = {
  "thing.add"(data: object) {
    const thing = { ...data, id: things.length + 1 };
    things.push(thing);
    return new HandlerResponse({ status: 201, mediaType: "application/json", body: thing });
  },
  async "thing.list"(input: Input) {
    const { text, ...rest } = input;
    const some = things.filter((one) => text === undefined || one.text?.includes(text));
    const byText = some.toSorted((one, other) => (`${one.id}` < `${other.id}` ? -1 : 1));
    const read = reader(defect === "sorts as texts" ? byText : some);
    const given = defect === "takes any cursor" || defect === "loses text" ? rest : input;
    const page = await pageOf("thing.list", given, read, 0);
    if (defect !== "takes any cursor" || text === undefined || !("json" in page.parts)) return page;
    const { Link = "" } = page.parts.headers ?? {};
    const headers = { Link: Link.replace("&limit", `&text=${encodeURIComponent(text)}&limit`) };
    return new HandlerResponse(Link === "" ? page.parts : { ...page.parts, headers });
  },
  "word.list": (input: Input) => pageOf("word.list", input, reader(WORDS), 0),
  async "pick.list"(input: Input) {
    const isAgain = defect === "shows one twice" && input.cursor !== undefined;
    const isLost = defect === "leaves one out" && input.limit <= 100;
    const shown = PICKS.filter(({ id }) => !isLost || id !== "c");
    const read = reader(isAgain ? shown.with(-1, { id: "d" }) : shown);
    return pageOf("pick.list", input, read, 0);
  },
};

let service: Service;
let suite: Suite;
let drop: () => Promise<unknown>;
beforeAll(async () => {
  const files = await generateFrom(SPEC);
  suite = createSuite(readContract(JSON.parse(files.get("contract.json") ?? "")));
  const database = await sqlite.fresh();
  drop = database.drop;
  const contract = await contractIn(files);
  const definition = {
    name: "forms",
    contract,
    migrations: protocolMigrations,
    services: () => ({}),
    handlers,
  };
  const env = { NODE_ENV: "test", PORT: "0", MANAGEMENT_PORT: "off", LOG_LEVEL: "silent" };
  const config = { ...patience, DATABASE_URL: database.url, ...env };
  service = await startService(definition, readConfig(config, definition));
});
afterAll(async () => {
  await service.close();
  await drop();
});

/** What a run finds that sends cases of the lists, so many that are drawn, and these scenarios. */
async function foundWith(wrong: string, randomCaseCount: number, scenarios: RegExp) {
  defect = wrong;
  things = Array.from({ length: 12 }, (_, at) => ({ id: at + 1, text: `one${at}`, version: 3 }));
  const lists = [...suite.tables.mutationsByOperation.keys()].filter((id) => id.endsWith(".list"));
  const coveringCases = lists.map((id) => `${id} plain`);
  const scripts = suite.scripts.filter(({ id }) => scenarios.test(id));
  const credentials = { full: { key: "none", platform: "web" }, special: {} };
  const some: Suite = { ...suite, coveringCases, scripts };
  const { results, fault } = await runAt(service.url, credentials, { randomCaseCount }, some);
  expect(fault).toBeNull();
  return results.findings.map(({ requirement, aspect }) => `${requirement} ${aspect}`);
}

it("finds nothing in a service that is right", async () => {
  expect(await foundWith("", 300, /^scenario/)).toEqual([]);
});

it.each([
  ["sorts as texts", "answers/schema body:/items/*/id"],
  ["shows one twice", "answers/schema body:/items/*/id"],
  ["leaves one out", "answers/schema body:/items"],
  ["takes any cursor", "paging/cursor-of-input status"],
  ["loses text", "paging/link-of-input header:link"],
])("finds that one %s", async (wrong, expected) => {
  expect(await foundWith(wrong, 0, /^scenario (?:history|cursors)/)).toContain(expected);
});
