import { type Check, checkAll, type Law } from "../checks/check.ts";
import { shown } from "../checks/probe.ts";
import { fail } from "../client/expect.ts";
import type { Aspect } from "../client/expectation.ts";

/** What holds of every response, whatever named the operation (D3, D12). */

/** The operation that the request names is the one that the response names, and none where none is known. */
const named: Law = ({ answer }, _, { predicted }) => {
  if (!answer || !predicted) return;
  const { prediction } = predicted;
  // A rejection that was not predicted may come from further out: its own requirement reports it.
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

/** A word of a run in the name of an unknown operation. */
const WORD = /zq[0-9a-z]{4,16}echo/;

/** The name of an unknown operation is nowhere in the response, in no spelling. */
const noEcho: Law = ({ request, answer }) => {
  const [token] = WORD.exec(`${request.url} ${request.body.toString()}`) ?? [];
  if (token === undefined || !answer) return;
  const spellings = [token, Buffer.from(token).toString("base64").slice(0, -4)].map((each) => each.toLowerCase());
  const texts: readonly (readonly [Aspect, string])[] = [
    ["status", answer.reason],
    ...answer.headers.map(([name, value]) => [`header:${name.toLowerCase()}`, `${name}: ${value}`] as const),
    ["body", answer.body.toString()],
  ];
  for (const [aspect, text] of texts)
    if (spellings.some((spelling) => text.toLowerCase().includes(spelling)))
      fail(aspect, "the name of an unknown operation not to be repeated", shown(text));
};

export const dispatchLaws: readonly Check[] = [
  checkAll("dispatch/x-operation#every-response", named),
  checkAll("dispatch/no-echo#every-response", noEcho),
];
