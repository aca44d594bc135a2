import { type Contract, IDEMPOTENCY_KEY, type Operation, resolve } from "../oracle/contract.ts";
import { isValid } from "../oracle/schema.ts";
import { valuesOf } from "./classes.ts";
import { asText, type Mutation, mutation, setField, shown } from "./draft.ts";
import { spellings } from "./head.ts";
import { sampleOf } from "./open.ts";
import { bounds, texts, tooLong } from "./values.ts";

/** The header parameters that an operation declares, by their schemas (D8). */

/** They are read at steps of their own (D12, D25), and have rows of their own. */
const OTHER_STEPS: readonly string[] = [IDEMPOTENCY_KEY, "if-none-match"];

/** What a field can hold without losing its ends (RFC 9110, 5.5). */
const isFieldValue = (text: string) => /^[!-~](?:[ -~]*[!-~])?$/.test(text);

const WRONG_TYPES = ["x", "1", "1.5", "true", "a,b", "1, 2", "null"];

export function headers(contract: Contract, operation: Operation): readonly Mutation[] {
  const declared = operation.headers.filter(
    ({ name }) => !OTHER_STEPS.includes(name.toLowerCase()),
  );
  return declared.flatMap(({ name, schema }) => {
    const isRight = (value: unknown) => isValid(contract, operation, schema, value);
    const example = sampleOf(contract, schema);
    const right = valuesOf(contract, schema, example, isRight).map(asText);
    const near = texts(resolve(contract, schema)).map(([, of]) => of(asText(example)));
    const values = [
      ...bounds(resolve(contract, schema)).map(asText),
      ...right,
      ...near,
      ...WRONG_TYPES,
    ];
    const part = `header ${name}`;
    const row = (what: string, lines: readonly string[]) =>
      mutation(part, `${name}: ${what}`, (draft) => setField(draft, name, lines));
    return [
      ...[...new Set(values.filter(isFieldValue))].map((value) => row(shown(value), [value])),
      row("nothing", [""]),
      row("two", [asText(example), asText(example)]),
      ...[...new Set([name, ...spellings(name), name.replaceAll("-", "_")])].map((as) =>
        mutation(
          part,
          `${as} holds the word of the run`,
          (draft) => setField(draft, name, [tooLong(schema, draft.caller.canary)], as),
          { always: true },
        ),
      ),
    ];
  });
}
