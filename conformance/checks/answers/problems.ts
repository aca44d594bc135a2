import { order } from "../../../generated/order.ts";
import { queries } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { codes, sendFaulty } from "../faults.ts";
import { expectRefusedAs, inCase, reach } from "../probe.ts";

/** All that a problem is not, and what it is, excluded. */
const UNWANTED = [
  ...["application/json", "text/html", "image/png", "*/*;q=0"],
  ...["application/problem+json;q=0", "application/problem+xml"],
];

const steps = order.map(({ step }) => step);

/** Problems are sent whatever `Accept` says (D10): at the steps before it is judged, and behind it where an operation offers what is asked for. */
export const problems: readonly Check[] = [
  ...steps
    .map((step) => ({ step, some: codes.filter((one) => one.step === step && step !== "negotiate") }))
    .filter(({ some }) => some.length > 0)
    .map(({ step, some }) =>
      check(`answers/problems-whatever-accept#${step}`, {}, async (api) => {
        const isEarly = steps.indexOf(step) < steps.indexOf("negotiate");
        for (const one of some) {
          const offered = one.operation.answers.flatMap(({ mediaTypes }) => mediaTypes);
          for (const accept of isEarly ? UNWANTED : [...offered, "application/json, text/html", "*/*"])
            await inCase(`${one.code}, Accept: ${accept}`, async () =>
              expectRefusedAs(await sendFaulty(api, one, [["Accept", accept]]), one.code),
            );
        }
      }),
    ),
  check("answers/problems-whatever-accept#not-acceptable", {}, async (api) => {
    for (const operation of queries)
      for (const accept of UNWANTED.slice(2)) {
        const excluding = accept.startsWith("application/problem+json") ? `${accept}, image/png` : accept;
        const reply = await reach(api, operation, { accept: excluding });
        await inCase(`${operation.id}, Accept: ${excluding}`, () => expectRefusedAs(reply, "not-acceptable"));
      }
  }),
];
