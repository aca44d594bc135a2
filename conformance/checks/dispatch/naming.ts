import type { Api } from "../../client/api.ts";
import { commands, type Known, nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import {
  answered,
  askEach,
  expectNoOperation,
  expectReached,
  expectRefusedAs,
  inCase,
  inEach,
  reach,
  shown,
} from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";

/** A request has to name its operation, once (D1, D33). */

function expectMissing(reply: Reply): void {
  expectRefusedAs(reply, "operation-missing");
  expectNoOperation(reply);
}

const WITHOUT_NAME = ["", "@", "@=", "%40", "%40=", "=sysinfo", "limit=1", "&", "x", "sysinfo"];

/** Parameters that a careless reader takes for `@`. */
const NEARLY_AT = [
  ...["@@", "a@", "@a", "@%20", "%20@", "@+", "%2540", "@%5B%5D", "@%5B0%5D", "@%00", "%EF%BC%A0", "&commat;"],
  ...["op", "operation", "x;@", "limit=1;@", "x?@"],
].map((name) => `${name}=sysinfo`);

/** Members, the same. */
const NEARLY_MEMBERS = [
  "%40",
  "@ ",
  " @",
  "@@",
  "\uff20",
  "\u0000@",
  "op",
  "operation",
  "method",
  "action",
  "name",
  "",
];

/** An `@` that is no string, though one could be made of it. */
const noStrings = (name: string): readonly unknown[] => [
  ...[null, 0, 1, true, false, [], {}, [name], [[name]]],
  ...[{ name }, { toString: name }, { "@": name }],
];

type Envelope = Readonly<Record<string, unknown>>;

/** A POST with each of these beside right `data`: refused, and nothing changed; without `data` neither. */
async function expectMissingIn(
  api: Api,
  operation: Known,
  envelopes: readonly Envelope[],
  options: { readonly rawQuery?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const data = api.example(operation.id);
  const before = await stateOf(api, operation, data);
  for (const body of [...envelopes.map((envelope) => ({ ...envelope, data })), {}])
    await inCase(`the body ${shown(JSON.stringify(body))}`, async () =>
      expectMissing(await api.call(operation.id, { body, ...options })),
    );
  await expectUnchanged(api, before);
}

const asAmbiguous = (reply: Reply) => expectRefusedAs(reply, "operation-ambiguous");

/** Sends each query beside a right body: refused as ambiguous whoever calls, and nothing changed. */
async function expectAmbiguous(
  api: Api,
  operation: Known,
  queries: readonly string[],
  name = nameOf(operation),
): Promise<void> {
  const data = api.example(operation.id);
  const before = await stateOf(api, operation, data);
  for (const credentials of ["good", "none"] as const)
    await askEach(api, queries, asAmbiguous, { method: "POST", body: { "@": name, data }, credentials });
  await expectUnchanged(api, before);
}

/** The variants of `dispatch/missing-in-body`: what stands in place of `@`. */
const IN_BODY: Readonly<Record<string, (name: string) => readonly Envelope[]>> = {
  absent: () => [{}, { "@": "" }],
  "not-a-string": (name) => noStrings(name).map((value) => ({ "@": value })),
  "nearly-at": (name) => NEARLY_MEMBERS.map((member) => ({ [member]: name })),
};

export const naming = [
  check("dispatch/missing#absent", {}, async (api) => {
    await askEach(api, WITHOUT_NAME, expectMissing);
    await askEach(api, WITHOUT_NAME, expectMissing, { method: "HEAD" });
    // A bare `?`, which an HTTP client leaves away.
    expectMissing(answered(await api.raw(api.rawRequest({ target: api.path("/api/?") })), "a bare ?"));
  }),
  check("dispatch/missing#nearly-at", {}, (api) => askEach(api, NEARLY_AT, expectMissing)),
  ...commands.flatMap((operation) => {
    const { id } = operation;
    const name = nameOf(operation);
    return [
      ...Object.entries(IN_BODY).map(([variant, envelopes]) =>
        check(`dispatch/missing-in-body#${variant}-${id}`, { effect: "write" }, async (api) => {
          await expectMissingIn(api, operation, envelopes(name));
          expectReached(await reach(api, operation), operation);
        }),
      ),
      check(`dispatch/missing-in-body#only-in-query-${id}`, { effect: "write" }, async (api) => {
        const envelopes = [{}, { "@": "" }, { "@": null }, { "@": [name] }, { op: name }];
        for (const at of ["@", "%40"])
          await expectMissingIn(api, operation, envelopes, { rawQuery: `${at}=${encodeURIComponent(name)}` });
        for (const other of ["sysinfo", `no.${api.runId}`])
          await expectMissingIn(api, operation, [{}], { rawQuery: `@=${other}` });
      }),
      check(`dispatch/missing-in-body#only-in-header-${id}`, { effect: "write" }, (api) =>
        expectMissingIn(api, operation, [{}], { headers: { "X-Operation": name, Operation: name, SOAPAction: name } }),
      ),

      check(`dispatch/ambiguous#${id}`, { effect: "write" }, async (api) => {
        const other = ["@=sysinfo", "%40=user.list", `@=no.${api.runId}`, "@=constructor"];
        const empty = ["@=", "@", "%40=", `X-PLATFORM=${api.platform}&@=`];
        await expectAmbiguous(api, operation, [`@=${name}`, `%40=${name}`, ...other, ...empty]);
        // Before the name is looked for.
        await expectAmbiguous(api, operation, [`@=${name}`, "@=sysinfo"], "no.such.operation");
        expectReached(await reach(api, operation), operation);
      }),
      check(`dispatch/no-batch#${id}`, { effect: "write" }, async (api) => {
        const [data, other] = [api.example(id), api.example(id)];
        const before = await stateOf(api, operation, data, other);
        const call = { "@": name, data };
        const lists = [[call], [call, { "@": name, data: other }], [[call]], [call, { "@": "sysinfo" }]];
        const others = [[], [{}], [{ "@": "sysinfo" }], ["sysinfo"], ["user.list", "docs.list"], [null], [[]]];
        for (const credentials of ["good", "none"] as const)
          await inEach([...lists, ...others], async (body) =>
            expectRefusedAs(await api.call(id, { body, credentials }), "malformed-json"),
          );
        await expectUnchanged(api, before);
      }),
    ];
  }),
];
