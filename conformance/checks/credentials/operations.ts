import type { Api } from "../../client/api.ts";
import { expectAccepted, expectObject, expectRefused, expectSuccess, fail } from "../../client/expect.ts";
import { guarded, nameOf, queryOf } from "../../client/operation.ts";
import { wordOf } from "../../client/word.ts";
import { contract } from "../../contract.ts";
import type { Operation } from "../../oracle/contract.ts";
import { type Check, check } from "../check.ts";
import { credentialFields, effectOf, inCase } from "../probe.ts";
import {
  type Case,
  combinations,
  eachPlace,
  empty,
  expectAllRefused,
  expectLetIn,
  kinds,
  sent,
  tooFew,
} from "./calls.ts";

/** An unknown key or platform, in either place. */
const unknown = (api: Api, { kind, as }: (typeof kinds)[number]) =>
  eachPlace(`an unknown ${kind}`, wordOf(api), (placement) => as(api, placement));

/** The parameters of a query in different orders. */
function reordered(api: Api, operation: Operation): readonly Case[] {
  const [key = "", platform = ""] = kinds.map(({ header, good }) => `${header}=${encodeURIComponent(good(api))}`);
  const own = queryOf(operation, api.required(operation.id));
  return [
    [key, platform, own],
    [platform, own, key],
    [own, platform, key],
  ].map((order) =>
    sent(order.map((text) => text.replace(/=.*/, "")).join(", "), "none", { rawQuery: order.join("&") }),
  );
}

/** Given: a GET with only its required input is accepted. */
const expectGiven = async (api: Api, { id }: Operation, options: Case["options"]) =>
  void expectAccepted(await api.call(id, options));

/** With too few credentials, behind a good request on the same connection; a POST has no `data`, so that it creates nothing. */
async function expectRefusedBehind(api: Api, operation: Operation): Promise<void> {
  const { id, method } = operation;
  const isQuery = method === "GET";
  const target = `/api/${isQuery ? `?${queryOf(operation, api.required(id))}` : ""}`;
  const rest = isQuery ? {} : { body: JSON.stringify({ "@": nameOf(operation) }) };
  const json = isQuery ? [] : [["Content-Type", "application/json"] as const];
  const [key, platform] = credentialFields(api);
  const agent = api.connection();
  try {
    await api.request({ method, target, headers: [key, platform, ...json], agent, ...rest });
    for (const some of [[key], [platform], []]) {
      const reply = await api.request({ method, target, headers: [...some, ...json], agent, ...rest });
      await inCase("behind a good request on the same connection", () => expectRefused(reply));
    }
  } finally {
    agent.destroy();
  }
}

/** Decided: the response is as documented and has the values that were sent. */
async function expectDone(api: Api, { id }: Operation, options: Case["options"]): Promise<void> {
  const input = api.example(id);
  const body = expectObject(expectSuccess(await api.call(id, { input, ...options }), id));
  for (const [name, value] of Object.entries(input))
    if (name in body && body[name] !== value) fail(`body:/${name}`, `the ${name} that was sent`, String(body[name]));
}

const own = ({ id }: Operation, what: "credentials" | "placements") =>
  contract.requirements.filter((requirement) => requirement.id === `${id}/${what}`);

/** The operations' own requirements about credentials. Checks of given ones use no decided behaviour (G4). */
export const operationCredentials: readonly Check[] = guarded.flatMap((operation) => [
  ...own(operation, "credentials").map(({ id, origin }) =>
    check(id, { effect: effectOf(operation) }, async (api) => {
      if (origin === "given") {
        await inCase("good credentials", () => expectGiven(api, operation, {}));
        for (const { what, options } of [...tooFew(api), ...empty(api), ...unknown(api, kinds[0])])
          await inCase(what, async () => expectRefused(await api.call(operation.id, options)));
        await expectRefusedBehind(api, operation);
      } else {
        await expectLetIn(api, operation);
        await expectAllRefused(api, operation, "credentials-missing", tooFew(api));
        for (const kind of kinds) await expectAllRefused(api, operation, kind.code, unknown(api, kind));
      }
    }),
  ),
  ...own(operation, "placements").map(({ id, origin }) =>
    check(id, { effect: effectOf(operation) }, async (api) => {
      const expectTaken = origin === "given" ? expectGiven : expectDone;
      const orders = operation.method === "GET" ? reordered(api, operation) : [];
      for (const { what, options } of [...combinations(api), ...orders])
        await inCase(what, () => expectTaken(api, operation, options));
    }),
  ),
]);
