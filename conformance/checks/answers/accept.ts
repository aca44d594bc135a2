import type { Api } from "../../client/api.ts";
import { expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { commands, every, type Known, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { expectReached, inCase, reach } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";

/** `Accept` (D10). */

const representations = ({ answers }: Known) => answers[0]?.mediaTypes ?? [];
const jsonOnly = (operation: Known) => representations(operation).every((type) => type === "application/json");

/** Values that exclude everything an operation offers. */
function excluding(operation: Known): readonly string[] {
  const none = representations(operation)
    .map((type) => `${type};q=0`)
    .join(", ");
  const always = [
    ...["image/png", "image/*", "text/event-stream", "text/json", "*/*;q=0", "application/json; q=0.000"],
    ...["application/xml", "application/jsonx", "application/json-seq", "application/vnd.api+json"],
    ...["application/problem+json", "application/xml;version=1"],
    ...[`${none}, image/png`, `${none}, */*;q=0.0`, "application/*;q=0, text/*;q=0"],
    "application/xml, image/png;q=0.9, text/csv;q=0.1",
  ];
  const json = [
    ...["text/html", "text/*", "text/plain, application/xhtml+xml, application/xml;q=0.9"],
    ...["application/json;q=0, */*", "application/json;q=0, application/*", "application/*;q=0, */*"],
    "*/*, application/json;q=0",
  ];
  return jsonOnly(operation) ? [...always, ...json] : always;
}

/** Values that let JSON through, though not at first sight. */
const allowing = [
  ...["application/json", "APPLICATION/JSON", "Application/Json; Q=1", "application/*", "*/*"],
  ...["*/*;q=0, application/json", "application/*;q=0, application/json;q=0.1", "application/json;q=0.001"],
  ...["image/png, */*;q=0.1", "application/xml,application/json", "application/xml;q=1 , application/json;q=0.2"],
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
  `${Array.from({ length: 60 }, (_, index) => `image/x-${index}`).join(", ")}, application/json;q=0.1`,
];

const malformed = [
  ...["", ",", " , "],
  ...["json", "application", "application/", "/json", "/", "application//json", "application/xml/json"],
  ...["image png", "image/png, json", "json, image/png", "?", "{}", "<script>"],
  ...["image/png;q=abc", "image/png;q=2", "image/png;q=-1", "image/png;q=0.0001", "image/png;q=", "*/*;q="],
];

const withParameters = [
  ...["application/json;version=1", "application/json; charset=utf-8", "application/json;charset=iso-8859-1"],
  ...['application/json;profile="https://example.com/a,b"', 'application/json;title="a;q=0"', "*/*;version=1"],
  ...["application/json;indent=2;q=0.5;ext=1", "application/json ; a=b ; c=d", "application/*;level=2"],
];

/** `undefined`: without the header. */
async function expectAllReached(api: Api, operation: Known, accepts: readonly (string | undefined)[]): Promise<void> {
  for (const accept of accepts) {
    const reply = await reach(api, operation, accept === undefined ? {} : { accept });
    await inCase(`Accept: ${accept ?? "none"}`, () => expectReached(reply, operation));
  }
}

const expectNotAcceptable = (what: string, reply: Reply) =>
  inCase(`Accept: ${what}`, () => expectProblem(reply, 406, "not-acceptable"));

export const accept: readonly Check[] = [
  ...every.flatMap((operation) => [
    check(`answers/not-acceptable#${operation.id}`, {}, async (api) => {
      for (const value of excluding(operation))
        await expectNotAcceptable(value, await reach(api, operation, { accept: value }));
      if (operation.method === "POST") return;
      // What is asked for is judged before what is there already.
      const headers = { "If-None-Match": "*" };
      await expectNotAcceptable("image/png", await reach(api, operation, { accept: "image/png", headers }));
      expectStatus(await reach(api, operation, { method: "HEAD", accept: "image/png" }), 406);
      expectStatus(await reach(api, operation, { method: "HEAD", accept: "*/*" }), 200);
    }),
    check(`answers/not-acceptable#not-too-strict-${operation.id}`, {}, (api) =>
      expectAllReached(api, operation, [undefined, ...allowing]),
    ),
    check(`answers/accept-ignored#${operation.id}`, {}, (api) =>
      expectAllReached(api, operation, [...malformed, ...withParameters]),
    ),
  ]),
  ...queries
    .filter((operation) => !jsonOnly(operation))
    .map((operation) =>
      check(`answers/not-acceptable#another-is-left-${operation.id}`, {}, async (api) => {
        for (const left of representations(operation)) {
          const others = representations(operation).filter((type) => type !== left);
          for (const value of [left, `${others.map((type) => `${type};q=0`).join(", ")}, */*`]) {
            const reply = await reach(api, operation, { accept: value });
            await inCase(`Accept: ${value}`, () => {
              expectReached(reply, operation);
              if (reply.mediaType !== left) fail("header:content-type", left, reply.mediaType);
            });
          }
        }
      }),
    ),
  check("answers/not-acceptable#several-fields", {}, async (api) => {
    const send = (...accepts: readonly string[]) => {
      const headers = accepts.map((value) => ["Accept", value] as const);
      return api.request({ method: "GET", target: "/api/?@=sysinfo", headers });
    };
    expectStatus(await send("image/png", "application/json"), 200);
    expectStatus(await send("application/json", "image/png"), 200);
    expectProblem(await send("image/png", "application/xml"), 406, "not-acceptable");
  }),
  ...commands.map((operation) =>
    check(`answers/not-acceptable#changes-nothing-${operation.id}`, { effect: "write" }, async (api) => {
      const input = api.example(operation.id);
      const before = await stateOf(api, operation, input);
      for (const value of ["image/png", "text/html", "*/*;q=0"])
        await expectNotAcceptable(value, await api.call(operation.id, { input, accept: value }));
      await expectUnchanged(api, before);
    }),
  ),
];
