import { problems as codes, operations } from "../../../generated/operations.ts";
import { expectProblem } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { early } from "../errors/refusals.ts";
import { inCase, nobodys, reach } from "../probe.ts";

/** All that a problem is not, and what it is, excluded. */
const UNWANTED = [
  ...["application/json", "text/html", "image/png", "*/*;q=0"],
  ...["application/problem+json;q=0", "application/problem+xml"],
];

/** Refused behind the representation: with whatever the operation offers. */
const late = [
  ["invalid-input", "user.list", () => ({ limit: 0 })],
  ["invalid-cursor", "user.list", (cursor: string) => ({ cursor })],
  ["document-not-found", "docs.get", (name: string) => ({ name })],
] as const;

const asked = early.filter(({ statuses }) => statuses.length === 1);

/** Problems are sent whatever `Accept` says (D10), those of the steps before it is judged and those behind it. */
export const problems: readonly Check[] = [
  ...[...new Set(asked.map(({ code }) => code))].map((code) =>
    check(`answers/problems-whatever-accept#${code}`, {}, async (api) => {
      for (const { send } of asked.filter((one) => one.code === code))
        for (const accept of UNWANTED) {
          const reply = await send(api, accept);
          await inCase(`Accept: ${accept}`, () => expectProblem(reply, codes[code].status, code));
        }
    }),
  ),
  ...late.map(([code, id, input]) =>
    check(`answers/problems-whatever-accept#${code}`, {}, async (api) => {
      const { mediaTypes } = operations[id].answers[0];
      for (const accept of [...mediaTypes, "application/json, text/html", "*/*"]) {
        const reply = await api.call(id, { input: input(nobodys(api)), accept });
        await inCase(`Accept: ${accept}`, () => expectProblem(reply, codes[code].status, code));
      }
    }),
  ),
  check("answers/problems-whatever-accept#not-acceptable", {}, async (api) => {
    for (const operation of queries)
      for (const accept of UNWANTED.slice(2)) {
        const excluding = accept.startsWith("application/problem+json") ? `${accept}, image/png` : accept;
        const reply = await reach(api, operation, { accept: excluding });
        await inCase(`${operation.id}, Accept: ${excluding}`, () => expectProblem(reply, 406, "not-acceptable"));
      }
  }),
];
