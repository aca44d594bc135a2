import { type Check, checkAll, type Law } from "../checks/check.ts";
import { shown } from "../checks/probe.ts";
import { fail } from "../client/expect.ts";
import type { Aspect } from "../client/expectation.ts";
import { headTexts } from "../client/reply.ts";
import { WORD } from "../client/word.ts";

/** Laws for every response, however the operation is named (D3, D12). */

/** The response names the operation that the request names, and none if it is unknown. */
const named: Law = ({ answer }, _, { predicted }) => {
  if (!answer || !predicted) return;
  const { prediction } = predicted;
  // An unpredicted rejection may come from a proxy: its own requirement reports it.
  if (answer.status !== prediction.status) return;
  const fields = answer.headers.filter(([name]) => name.toLowerCase() === "x-operation").map(([, value]) => value);
  const expected = prediction.operation?.id;
  if (fields.join(", ") !== (expected ?? ""))
    fail(
      "header:x-operation",
      `X-Operation: ${expected ?? "none"}`,
      `${fields.join(", ") || "none"} with status ${answer.status}`,
    );
};

/** An unknown operation name. */
const UNKNOWN_NAME = new RegExp(`${WORD.source}echo`);

/** The name of an unknown operation is not in the response, in any spelling. */
const noEcho: Law = ({ request, answer }) => {
  const [token] = UNKNOWN_NAME.exec(`${request.url} ${request.body.toString()}`) ?? [];
  if (token === undefined || !answer) return;
  const spellings = [token, Buffer.from(token).toString("base64").slice(0, -4)].map((each) => each.toLowerCase());
  const texts: readonly (readonly [Aspect, string])[] = [...headTexts(answer), ["body", answer.body.toString()]];
  for (const [aspect, text] of texts)
    if (spellings.some((spelling) => text.toLowerCase().includes(spelling)))
      fail(aspect, "the name of an unknown operation not to be repeated", shown(text));
};

export const dispatchLaws: readonly Check[] = [
  checkAll("dispatch/x-operation#every-response", named),
  checkAll("dispatch/no-echo#every-response", noEcho),
];
