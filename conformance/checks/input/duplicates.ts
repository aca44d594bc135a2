import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { expectPlaces, faultsIn } from "./operations.ts";

const create = (api: Api, body: string) => api.call("user.create", { body });

async function expectName(api: Api, body: string, wanted: string): Promise<void> {
  const reply = await create(api, body);
  const { name } = expectSuccess(reply, "user.create");
  if (name !== wanted) fail("body", `the last name, ${wanted}`, describe(reply));
}

/** Of duplicate members the last counts and is the one judged (D7). */
export const duplicates: readonly Check[] = [
  check("input/last-duplicate#last-is-judged", { effect: "write" }, async (api) => {
    const email = api.email();
    const good = `"name":"Ada","email":"${email}"`;
    const bodies: readonly (readonly [members: string, place: string])[] = [
      [`"data":{${good},"email":"no address"}`, "#/data/email"],
      [`"data":{${good},"name":""}`, "#/data/name"],
      [`"data":{${good},"name":1}`, "#/data/name"],
      [`"data":{${good},"n\\u0061me":" "}`, "#/data/name"],
      [`"data":{${good}},"data":{}`, "#/data/name"],
      [`"data":{${good}},"data":null`, "#/data"],
      [`"data":{${good}},"d\\u0061ta":[]`, "#/data"],
    ];
    for (const [members, place] of bodies)
      await inCase(members, async () =>
        expectPlaces(faultsIn(await create(api, `{"@":"user.create",${members}}`), "user.create"), [place]),
      );
    await expectNotCreated(api, [email]);
  }),
  check("input/last-duplicate#last-counts", { effect: "write" }, async (api) => {
    const data = `{"name":1,"email":"no address","name":"First","n\\u0061me":"Last","email":"${api.email()}"}`;
    await expectName(api, `{"@":"user.create","data":${data}}`, "Last");
  }),
  check("input/last-duplicate#last-data-counts", { effect: "write" }, async (api) => {
    const data = `{"name":"Last","email":"${api.email()}"}`;
    const first = `{"name":"First","email":"${api.email()}","unknown":1}`;
    await expectName(api, `{"@":"no.such","data":${first},"data":[],"data":${data},"@":"user.create"}`, "Last");
  }),
  check("input/last-duplicate#operation", { effect: "write" }, async (api) => {
    const email = api.email();
    const data = `"data":{"name":"Ada","email":"${email}"}`;
    const body = (last: string) => `{"@":"user.create",${data},"@":${last}}`;
    expectProblem(await create(api, body('"no.such"')), 404, "operation-not-found");
    expectProblem(await create(api, body('"user.list"')), 405, "method-not-allowed");
    expectProblem(await create(api, body('""')), 400, "operation-missing");
    expectProblem(await create(api, `{${data},"@":1,"@":"user.create","data":1}`), 422, "invalid-input");
    await expectNotCreated(api, [email]);
  }),
];
