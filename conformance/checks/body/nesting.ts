import { expectProblem } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { type Body, expectMalformed, expectRead, post } from "./post.ts";

const MOST = 16;

const arrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const mixed = (levels: number): string =>
  levels === 0 ? "1" : levels % 2 === 0 ? `[${mixed(levels - 1)}]` : `{"a":${mixed(levels - 1)}}`;

/** Bodies with so many levels, the body itself the first, wherever the depth may stand. */
function bodies(levels: number): Body[] {
  const body = (members: string) => `{"@":"user.create",${members}}`;
  return [
    ["arrays in data", body(`"data":{"a":${arrays(levels - 2)}}`)],
    ["objects in data", body(`"data":{"a":${objects(levels - 2)}}`)],
    ["arrays and objects in data", body(`"data":{"name":${mixed(levels - 2)}}`)],
    ["arrays as data", body(`"data":${arrays(levels - 1)}`)],
    ["objects beside data", body(`"data":{},"extra":${objects(levels - 1)}`)],
    ["arrays beside data", body(`"extra":${arrays(levels - 1)},"data":{}`)],
    ["behind shallow siblings", body(`"data":{"a":[[],[],{}],"b":${arrays(levels - 2)}}`)],
    ["in a member that a later one replaces", body(`"data":{"a":${arrays(levels - 2)},"a":1}`)],
    ["between strings that end in a backslash", body(`"data":{"a":"\\\\","b":${arrays(levels - 2)},"c":"\\\\"}`)],
  ].map(([what, text]): Body => [`${levels} levels: ${what}`, text ?? ""]);
}

/** Sixteen levels and no more (D7). */
export const nesting: readonly Check[] = [
  check("http/nesting#16-levels", {}, (api) => expectRead(api, bodies(MOST))),
  check("http/nesting#17-levels", { effect: "write" }, (api) => expectMalformed(api, api.email(), bodies(MOST + 1))),
  check("http/nesting#counts-levels-only", {}, async (api) => {
    const inName = (value: string) => `{"@":"user.create","data":{"name":${value}}}`;
    await expectRead(api, [
      ["brackets in a string", inName(`"${"[{".repeat(100)}"`)],
      ["brackets behind an escaped quote", inName(`"\\"${"[".repeat(100)}\\\\"`)],
      ["brackets in the name of a member", `{"@":"user.create","data":{"${"{[".repeat(100)}":1}}`],
      ["a hundred siblings", inName(`[${Array.from({ length: 100 }, () => "[{}]").join()}]`)],
    ]);
  }),
  check("http/nesting#very-deep", { effect: "hostile" }, async (api) => {
    const deep: readonly Body[] = [
      ["10,000 arrays", `{"@":"user.create","data":${arrays(10_000)}}`],
      ["9,000 objects", `{"@":"user.create","data":${objects(9_000)}}`],
      ["60,000 brackets that never close", "[".repeat(60_000)],
      ["10,000 objects that never close", '{"a":'.repeat(10_000)],
      ["30,000 arrays as the body", arrays(30_000)],
    ];
    for (const [what, body] of deep) {
      await inCase(what, async () => expectProblem(await post(api, body), 400, "malformed-json", "user.create"));
      await api.alive();
    }
  }),
];
