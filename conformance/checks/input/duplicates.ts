import type { Api } from "../../client/api.ts";
import { describe, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { expectRefusedAs, inEach } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { expectPlaces, faultsIn } from "./operations.ts";

const create = (api: Api, body: string) => api.call("user.create", { body });

/** Where the last member is at fault, and the first is not; `good` are members of `data` that are right. */
const LAST_IS_WRONG = (good: string): readonly (readonly [members: string, place: string])[] => [
  [`"data":{${good},"email":"no address"}`, "#/data/email"],
  [`"data":{${good},"name":""}`, "#/data/name"],
  [`"data":{${good},"name":1}`, "#/data/name"],
  [`"data":{${good},"n\\u0061me":" "}`, "#/data/name"],
  [`"data":{${good}},"data":{}`, "#/data/name"],
  [`"data":{${good}},"data":null`, "#/data"],
  [`"data":{${good}},"d\\u0061ta":[]`, "#/data"],
];

/** Of duplicate members the last counts and is the one judged (D7). */
export const duplicates: readonly Check[] = [
  check("input/last-duplicate#last-is-judged", { effect: "write" }, async (api) => {
    const email = api.email();
    await inEach(LAST_IS_WRONG(`"name":"Ada","email":"${email}"`), async ([members, place]) => {
      const reply = await create(api, `{"@":"user.create",${members}}`);
      expectPlaces(faultsIn(reply), [place]);
    });
    await expectNotCreated(api, [email]);
  }),
  check("input/last-duplicate#last-counts", { effect: "write" }, async (api) => {
    const right = `"n\\u0061me":"Last","email":"${api.email()}"`;
    const other = `{"name":"First","email":"${api.email()}","unknown":1}`;
    const bodies = [
      `{"@":"user.create","data":{"name":1,"email":"no address","name":"First",${right}}}`,
      `{"@":"no.such","data":${other},"data":[],"data":{"name":"Last","email":"${api.email()}"},"@":"user.create"}`,
    ];
    await inEach(bodies, async (body) => {
      const reply = await create(api, body);
      if (expectSuccess(reply, "user.create").name !== "Last") fail("body:/name", "the last name", describe(reply));
    });
  }),
  check("input/last-duplicate#operation", { effect: "write" }, async (api) => {
    const email = api.email();
    const data = `"data":{"name":"Ada","email":"${email}"}`;
    const body = (last: string) => `{"@":"user.create",${data},"@":${last}}`;
    expectRefusedAs(await create(api, body('"no.such"')), "operation-not-found");
    expectRefusedAs(await create(api, body('"user.list"')), "method-not-allowed");
    expectRefusedAs(await create(api, body('""')), "operation-missing");
    expectRefusedAs(await create(api, `{${data},"@":1,"@":"user.create","data":1}`), "invalid-input");
    await expectNotCreated(api, [email]);
  }),
];
