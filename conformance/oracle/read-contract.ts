import contractSchema from "./contract.schema.json" with { type: "json" };
import { type Contract, FORMAT, type Operation, type Schema } from "./contract.ts";
import { DecisionPoints } from "./decision-points.ts";
import { type Unread, unreadIn } from "./keywords.ts";
import { type Fault, isObject, schemaFaultsOf } from "./schema.ts";

/** What is wrong at a place of a contract, by the keyword of its schema. */
const TEXTS: Readonly<Record<string, string>> = {
  required: "is missing",
  type: "has another type",
};

function textOf({ place, rule }: Fault): string {
  const keyword = rule.split(" ").at(-1) ?? "";
  return `${place} ${TEXTS[keyword] ?? `is not as its schema says (${keyword})`}`;
}

/**
 * Throws an `Error` that names the first place where a value is not as `contract.schema.json` says.
 */
function assertContract(value: unknown): asserts value is Contract {
  const { definitions, $ref } = contractSchema;
  const schemas = definitions as Readonly<Record<string, Schema>>; // A test reads it as a contract.
  const context = {
    contract: { schemas },
    operation: { id: "contract" },
    at: new DecisionPoints(),
  };
  const [fault] = schemaFaultsOf(context, { $ref }, value, { member: "", place: "#" });
  if (fault) throw new Error(`it is no contract: ${textOf(fault)}`);
}

const textOfUnread = ({ place, keyword }: Unread) =>
  `"${keyword}" at #${place}, which this suite does not read`;

/** What the inputs of an operation assert and the oracle does not read. */
function* unreadOfInput(contract: Contract, { id, schema, headers }: Operation): Generator<Unread> {
  yield* unreadIn(contract, schema, `/operations/${id}/schema`);
  for (const [index, header] of headers.entries())
    yield* unreadIn(contract, header.schema, `/operations/${id}/headers/${index}/schema`);
}

/**
 * Reads the JSON value of a contract file. Throws an `Error` that says which format it has instead,
 * where it is no contract, or which keyword of an input is not read: then no response to it could
 * be predicted.
 */
export function readContract(value: unknown): Contract {
  if (!isObject(value) || !isObject(value.operations))
    throw new Error("it is no contract: it has no operations");
  const { format = 1 } = value;
  if (format !== FORMAT) {
    const isOlder = typeof format !== "number" || format < FORMAT;
    const what = isOlder ? "generate it again" : "take the suite of its release";
    throw new Error(`format ${format}, this suite reads ${FORMAT}: ${what}`);
  }
  assertContract(value);
  const operations = Object.values(value.operations);
  if (!operations.some(({ method }) => method === "GET"))
    throw new Error("it has no query, and nothing to see a deployment by");
  for (const operation of operations)
    for (const unread of unreadOfInput(value, operation))
      throw new Error(`the input of ${operation.id} has ${textOfUnread(unread)}`);
  return value;
}

/**
 * What answers assert and the oracle does not read, as lines: whether an answer is so is undecided.
 */
export const undecidedIn = (contract: Contract): readonly string[] => [
  ...new Set(
    Object.values(contract.operations).flatMap(({ id, responses }) =>
      responses.flatMap(({ schema }, index) =>
        [...unreadIn(contract, schema, `/operations/${id}/responses/${index}/schema`)].map(
          (unread) => `undecided: the answer of ${id} has ${textOfUnread(unread)}`,
        ),
      ),
    ),
  ),
];
