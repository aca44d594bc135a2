import { contract } from "../../contract.ts";
import { requirementOf, takesIdempotencyKey } from "../../oracle/contract.ts";
import { checksOf, type List } from "../list.ts";

/** `Idempotency-Key` (D25): ignored on GET; a command that takes one rejects what is none, after its input. */

const NAME = "Idempotency-Key";
const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("");

/** Values that are no key, sent byte for byte; several are several fields. */
const WRONG = (word: string): readonly (readonly string[])[] => [
  ...["a b", `a\t${word}`, `a ${word}`, `\xe9-${word}`, `\xc3\xa9-${word}`, `${word}\x80`, `${word}\xb2`].map((one) => [
    one,
  ]),
  ...[256, 300, 1_000].map((length) => [`${VISIBLE}${word}`.padEnd(length, "k")]),
  ...[
    [word, word],
    [`${word}-one`, `${word}-other`],
  ],
];

const formOf = (id: string) =>
  requirementOf(contract, contract.operations[id] ?? null, "invalid-idempotency-key", "dispatch/order");
const keyed = Object.values(contract.operations).filter(takesIdempotencyKey);
const IGNORED = "http/idempotency-key-on-get";

const keys: List = function* ({ api, operations, call, input }) {
  const word = `of-${api.runId}`;
  for (const operation of operations) {
    const under = (fields: readonly string[], data?: Readonly<Record<string, unknown>>) => {
      const request = call(operation, data && { input: data });
      return { ...request, fields: [...request.fields, ...fields.map((key) => [NAME, key] as const)] };
    };
    const right = [`${word}-${operation.id}`, `${VISIBLE}${word}`.padEnd(255, "k")];
    if (operation.method === "GET")
      // Twice: the first response is not kept for the second.
      for (const fields of [...right.map((key) => [key]), ...right.map((key) => [key]), ...WRONG(word)])
        yield [IGNORED, under(fields)];
    else if (takesIdempotencyKey(operation)) {
      yield [formOf(operation.id), under(right.slice(-1), api.example(operation.id))];
      for (const fields of WRONG(word)) {
        yield [formOf(operation.id), under(fields, input(operation))];
        yield [`${operation.id}/key-after-input`, under(fields)];
      }
    }
  }
};

const all = [IGNORED, ...keyed.flatMap(({ id }) => [formOf(id), `${id}/key-after-input`])];
export const keyLists = checksOf(
  [...new Set(all)].filter((id) => contract.requirements.some((one) => one.id === id)),
  keys,
  "keys",
);
