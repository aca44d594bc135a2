import { type Check, check } from "../check.ts";
import { expectRefusedAs, inCase } from "../probe.ts";
import { expectMalformed, expectRead, post, withMembers, withName } from "./post.ts";

const MOST = 16;

const arrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const mixed = (levels: number): string =>
  levels === 0 ? "1" : levels % 2 === 0 ? `[${mixed(levels - 1)}]` : `{"a":${mixed(levels - 1)}}`;

/** Bodies with so many levels, the body itself the first, wherever the depth may stand. */
const bodies = (levels: number): string[] =>
  [
    `"data":{"a":${arrays(levels - 2)}}`,
    `"data":{"a":${objects(levels - 2)}}`,
    `"data":{"name":${mixed(levels - 2)}}`,
    `"data":${arrays(levels - 1)}`,
    `"data":{},"extra":${objects(levels - 1)}`,
    `"extra":${arrays(levels - 1)},"data":{}`,
    // Behind shallow siblings, in a member that a later one replaces, between strings that end in a backslash.
    `"data":{"a":[[],[],{}],"b":${arrays(levels - 2)}}`,
    `"data":{"a":${arrays(levels - 2)},"a":1}`,
    `"data":{"a":"\\\\","b":${arrays(levels - 2)},"c":"\\\\"}`,
  ].map(withMembers);

const VERY_DEEP: readonly (readonly [what: string, body: string])[] = [
  ["10,000 arrays", withMembers(`"data":${arrays(10_000)}`)],
  ["9,000 objects", withMembers(`"data":${objects(9_000)}`)],
  ["60,000 brackets that never close", "[".repeat(60_000)],
  ["10,000 objects that never close", '{"a":'.repeat(10_000)],
  ["30,000 arrays as the body", arrays(30_000)],
];

/** Sixteen levels and no more (D7). */
export const nesting: readonly Check[] = [
  check("http/nesting#16-levels", {}, (api) => expectRead(api, bodies(MOST))),
  check("http/nesting#17-levels", { effect: "write" }, (api) => expectMalformed(api, api.email(), bodies(MOST + 1))),
  check("http/nesting#counts-levels-only", {}, (api) =>
    expectRead(api, [
      ["brackets in a string", withName(`"${"[{".repeat(100)}"`)],
      ["brackets behind an escaped quote", withName(`"\\"${"[".repeat(100)}\\\\"`)],
      ["brackets in the name of a member", withMembers(`"data":{"${"{[".repeat(100)}":1}`)],
      ["a hundred siblings", withName(`[${Array.from({ length: 100 }, () => "[{}]").join()}]`)],
    ]),
  ),
  check("http/nesting#very-deep", { effect: "hostile" }, async (api) => {
    for (const [what, body] of VERY_DEEP) {
      await inCase(what, async () => expectRefusedAs(await post(api, body), "malformed-json"));
      await api.alive();
    }
  }),
];
