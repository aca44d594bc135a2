import type { Api } from "../../client/api.ts";
import { describe, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inEach } from "../probe.ts";
import { expectInput, expectMalformed, expectRead, goodBody, post, readableBody, withMembers } from "./post.ts";

/** The bodies that smuggle something in by `__proto__`, in each place and spelling. */
function smugglers(email: string): string[] {
  const good = goodBody(email);
  const data = `{"name":"Ada","email":"${email}"}`;
  const inside = [
    ...["{}", "null", '"x"', "[]"].map((value) => `"__proto__":${value}`),
    '"extra":[{"a":{"__proto__":{"admin":true}}}]',
    // Escaped in part, in upper case, altogether; and blanks before the colon.
    ...['"\\u005f_proto__":{}', '"__prot\\u006F__":{}', '"__proto__" \n:{}'],
    '"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":{}',
  ];
  return [
    good.replace("{", '{"__proto__":{},'),
    ...inside.map((member) => good.replace('"data":{', `"data":{${member},`)),
    // With what is required in it.
    withMembers(`"data":{"__proto__":${data}}`),
    withMembers(`"data":{"name":"Ada","__proto__":{"email":"${email}"}}`),
    withMembers(`"__proto__":{"data":${data}}`),
    `{"@":{"__proto__":{}},"data":${data}}`,
    `{"data":${data},"__proto__":{"@":"user.create"}}`,
  ];
}

const POLLUTERS = [
  '"data":{"__proto__":{"polluted":"yes","status":299,"nextCursor":"polluted"}}',
  '"__proto__":{"polluted":"yes"},"data":{}',
  '"data":{"constructor":{"prototype":{"polluted":"yes"}}}',
  '"constructor":{"prototype":{"polluted":"yes"}},"data":{}',
].map(withMembers);

/** Members named like those that objects have anyway, and only named like them. */
const LOOKALIKES =
  "constructor prototype toString valueOf hasOwnProperty __defineGetter__ proto __proto __PROTO__".split(" ");

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
  expectInput(refused);
}

/** No member `__proto__`, anywhere (D7). */
export const proto: readonly Check[] = [
  check("http/proto-member#refused", { effect: "write" }, (api) => {
    const email = api.email();
    return expectMalformed(api, email, smugglers(email));
  }),
  check("http/proto-member#changes-no-later-answer", { effect: "hostile" }, (api) =>
    inEach(POLLUTERS, async (body) => {
      expectStatus(await post(api, body), 400, 422);
      await expectClean(api);
    }),
  ),
  check("http/proto-member#only-that-name", {}, (api) =>
    expectRead(api, [
      ...LOOKALIKES.map((name) => withMembers(`"data":{"${name}":{}}`)),
      ...CONSTRUCTORS.flatMap((member) => [withMembers(`"data":{${member}}`), withMembers(`"data":{},${member}`)]),
      // As a value, and in a member that a later one replaces.
      ...['{"name":"__proto__"}', '{"unknown":["__proto__"]}', '{"a":{"__proto__":1},"a":1}'].map((data) =>
        withMembers(`"data":${data}`),
      ),
    ]),
  ),
];
