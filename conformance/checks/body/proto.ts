import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { type Body, expectMalformed, expectRead, goodBody, post, readableBody } from "./post.ts";

/** The bodies that smuggle something in by `__proto__`, in each place and spelling. */
function smugglers(email: string): Body[] {
  const data = `{"name":"Ada","email":"${email}"}`;
  const good = goodBody(email);
  const beside = (member: string) => good.replace("{", `{${member},`);
  const inside = (member: string) => good.replace('"data":{', `"data":{${member},`);
  return [
    ["beside @ and data", beside('"__proto__":{}')],
    ["in data", inside('"__proto__":{}')],
    ["null in data", inside('"__proto__":null')],
    ["a string in data", inside('"__proto__":"x"')],
    ["an array in data", inside('"__proto__":[]')],
    ["deep in data", inside('"extra":[{"a":{"__proto__":{"admin":true}}}]')],
    ["with the required members in it", `{"@":"user.create","data":{"__proto__":${data}}}`],
    ["with data in it", `{"@":"user.create","__proto__":{"data":${data}}}`],
    ["in the value of @", `{"@":{"__proto__":{}},"data":${data}}`],
    ["with @ in it", `{"data":${data},"__proto__":{"@":"user.create"}}`],
    ["with one required member in it", `{"@":"user.create","data":{"name":"Ada","__proto__":{"email":"${email}"}}}`],
    ["escaped in part", inside('"\\u005f_proto__":{}')],
    ["escaped, upper case", inside('"__prot\\u006F__":{}')],
    ["escaped altogether", inside('"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":{}')],
    ["blanks before the colon", inside('"__proto__" \n:{}')],
  ];
}

const POLLUTERS: readonly string[] = [
  '{"@":"user.create","data":{"__proto__":{"polluted":"yes","status":299,"nextCursor":"polluted"}}}',
  '{"@":"user.create","__proto__":{"polluted":"yes"},"data":{}}',
  '{"@":"user.create","data":{"constructor":{"prototype":{"polluted":"yes"}}}}',
  '{"@":"user.create","constructor":{"prototype":{"polluted":"yes"}},"data":{}}',
];

/** Members named like those that objects have anyway, and only named like them. */
const LOOKALIKES = [
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "proto",
  "__proto",
  "__PROTO__",
];

/** What a parser that guards prototypes may take for an attack, and is an unknown member. */
const CONSTRUCTORS = [
  '"constructor":{"prototype":{}}',
  '"constructor":{"prototype":{"a":1}}',
  '"prototype":{"constructor":{}}',
];

async function expectClean(api: Api): Promise<void> {
  const sysinfo = await api.call("sysinfo");
  const list = await api.call("user.list", { input: { limit: 1 } });
  const refused = await post(api, readableBody);
  for (const reply of [sysinfo, list, refused])
    if (reply.text.includes("polluted"))
      fail("body", "answers without the members of an earlier request", describe(reply));
  expectSuccess(sysinfo, "sysinfo");
  expectSuccess(list, "user.list");
  expectProblem(refused, 422, "invalid-input", "user.create");
}

/** No member `__proto__`, anywhere (D7). */
export const proto: readonly Check[] = [
  check("http/proto-member#refused", { effect: "write" }, async (api) => {
    const email = api.email();
    await expectMalformed(api, email, smugglers(email));
  }),
  check("http/proto-member#changes-no-later-answer", { effect: "hostile" }, async (api) => {
    for (const body of POLLUTERS) {
      const reply = await post(api, body);
      if (reply.status !== 400 && reply.status !== 422) fail("status", "400 or 422", `${describe(reply)} to ${body}`);
      await expectClean(api);
    }
  }),
  check("http/proto-member#only-that-name", {}, async (api) => {
    await expectRead(
      api,
      LOOKALIKES.map((name): Body => [`the member ${name}`, `{"@":"user.create","data":{"${name}":{}}}`]),
    );
    for (const member of CONSTRUCTORS)
      await expectRead(api, [
        [`${member} in data`, `{"@":"user.create","data":{${member}}}`],
        [`${member} beside data`, `{"@":"user.create","data":{},${member}}`],
      ]);
  }),
  check("http/proto-member#as-a-value", {}, (api) =>
    expectRead(api, [
      ["as a name", '{"@":"user.create","data":{"name":"__proto__"}}'],
      ["as an unknown value", '{"@":"user.create","data":{"unknown":["__proto__"]}}'],
      ["in a member that a later one replaces", '{"@":"user.create","data":{"a":{"__proto__":1},"a":1}}'],
    ]),
  ),
];
