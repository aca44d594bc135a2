import { type Check, checkAll, type Law } from "../../checks/check.ts";
import { fail } from "../../client/expect.ts";
import { excerpts } from "../../client/reply.ts";
import { isObject } from "../../oracle/schema.ts";

/** Laws for every command that created a record: its members have the values that were sent. */
const asSent: Law = ({ answer }, _, { predicted }) => {
  const { operation, code } = predicted?.prediction ?? {};
  if (answer?.status !== 201 || !operation || code !== null || !predicted) return;
  try {
    const { data } = JSON.parse(Buffer.from(predicted.request.body, "latin1").toString());
    const created: unknown = JSON.parse(answer.body.toString());
    if (!isObject(data) || !isObject(created)) return;
    for (const [name, sent] of Object.entries(data)) {
      const [expected, actual] = [JSON.stringify(sent), JSON.stringify(created[name]) ?? "absent"];
      if (name in created && expected !== actual) fail(`body:/${name}`, ...excerpts(expected, actual));
    }
  } catch (error) {
    // Other laws report invalid JSON.
    if (!(error instanceof SyntaxError)) throw error;
  }
};

export const createLaws: readonly Check[] = [checkAll("user.create/as-sent#every-response", asSent)];
