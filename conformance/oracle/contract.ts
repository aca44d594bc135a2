/** The contract as data: the content of `contract.json`, and values derived from it alone. */

export type TypeName = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** A schema of JSON Schema 2020-12: the keywords that the oracle reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly default?: unknown;
}

export interface Requirement {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /**
   * `given`: stated by the document that the service implements. `decided`: chosen where that
   * document leaves it open.
   */
  readonly origin: "given" | "decided";
  /** The clause that it follows from. */
  readonly clause: string;
  /**
   * `operations`: what each operation promises its callers. `protocol`: what else a deployment
   * sends and rejects. An older contract has none: everything is of the operations.
   */
  readonly profile?: "operations" | "protocol";
  readonly sentence: string;
  readonly operation: string | null;
  /**
   * Where the spec states it: a file relative to its folder, and a line, the first is 1. An older
   * contract has none.
   */
  readonly location?: { readonly file: string; readonly line: number } | null;
}

/** What a success of an operation does to the records of a resource. */
export interface Effect {
  readonly kind: "creates" | "updates" | "deletes" | "reads" | "lists";
  readonly resource: string;
  /** The member of the input that names the record; absent of what creates or lists. */
  readonly key?: string;
  /** The code where there is no such record. */
  readonly absent?: string;
}

/** How the value of a parameter selects records. */
export type Match =
  | "equal"
  | "oneOf"
  | "atLeast"
  | "atMost"
  | "before"
  | "contains"
  | "startsWith"
  | "opaque";

/** What is stated of what an operation does; a contract without these says nothing about it. */
export interface StatedEffects {
  readonly effect?: Effect;
  /** What a command may change in any way: all records if it has no resource. */
  readonly opaque?: readonly string[];
  /** By parameter. */
  readonly filters?: Readonly<Record<string, { readonly member: string; readonly match: Match }>>;
  /** The order of a list, without one by the key. */
  readonly order?: readonly { readonly member: string; readonly descending: boolean }[];
  /** By member of the input, the record that it names. */
  readonly requires?: Readonly<
    Record<string, { readonly resource: string; readonly code: string }>
  >;
  /** The member of the record that the command changes, from which values to which. */
  readonly state?: {
    readonly member: string;
    readonly from: readonly string[];
    readonly to: string;
    readonly code: string;
  };
}

/** The records of a model. */
export interface Resource {
  /** The member that names a record. */
  readonly key: string;
  /** Members that no input has. */
  readonly readOnly: readonly string[];
  /** Members that change by themselves. */
  readonly volatile: readonly string[];
  /** Members whose values no two records share, with the code that rejects the second. */
  readonly unique: readonly {
    readonly member: string;
    readonly code: string;
    /** Letters of ASCII are the same in either case. */
    readonly ignoresCase?: true;
  }[];
}

export interface Operation extends StatedEffects {
  readonly id: string;
  readonly method: "GET" | "POST";
  readonly name: string;
  /** For a templated name: the regular expression of the names, with a group for each part. */
  readonly pattern: string | null;
  readonly parts: readonly string[];
  readonly known: readonly string[];
  readonly summary: string;
  readonly auth: boolean;
  readonly scope: string | null;
  readonly input: Readonly<Record<string, { readonly type: string; readonly required: boolean }>>;
  readonly answers: readonly { readonly status: number; readonly mediaTypes: readonly string[] }[];
  readonly problems: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  readonly exampleFrom: Readonly<
    Record<string, readonly { readonly operation: string; readonly pointer: string }[]>
  >;
  readonly deprecation: {
    readonly since: string;
    readonly sunset: string;
    readonly link: string;
  } | null;
  /** A list whose items are in no order; absent of any other operation. */
  readonly unordered?: true;
  /** Which requirement a rule belongs to, by member and keyword or by problem code. */
  readonly decides: Readonly<Record<string, string>>;
  readonly schema: Schema;
  readonly headers: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly responses: readonly {
    readonly status: number;
    readonly mediaType: string;
    readonly schema: Schema;
  }[];
}

/** The form of `contract.json` that this suite reads. */
export const FORMAT = 2;

/** `contract.schema.json` is generated from it. */
export interface Contract {
  readonly format: typeof FORMAT;
  readonly title: string;
  readonly version: string;
  readonly hash: string;
  readonly limits: Readonly<
    Record<
      | "targetBytes"
      | "headBytes"
      | "headFields"
      | "bodyBytes"
      | "bodyDepth"
      | "bodyParts"
      | "faults",
      number
    >
  >;
  /** The realm of a 401, and what every key begins with. */
  readonly keys: { readonly realm: string; readonly prefix: string };
  /** Where a response has the version of the deployment; absent where no response has it. */
  readonly deploymentVersion?: { readonly operation: string; readonly pointer: string };
  /**
   * Every request header field that the service reads, in lowercase. An older contract has none.
   */
  readonly requestHeaders?: readonly string[];
  /** The records that operations say something about, by the name of their schema. */
  readonly resources?: Readonly<Record<string, Resource>>;
  /** The order of checks. */
  readonly steps: readonly {
    readonly step: string;
    readonly does: string;
    readonly problems: readonly string[];
  }[];
  readonly clauses: readonly {
    readonly id: string;
    readonly title: string;
    readonly decision: string;
    readonly untried: string | null;
  }[];
  readonly requirements: readonly Requirement[];
  readonly problems: Readonly<
    Record<string, { readonly status: number; readonly title: string; readonly detail: string }>
  >;
  readonly scopes: readonly string[];
  readonly operations: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** What it takes to look up a reference. */
export type Schemas = Pick<Contract, "schemas">;

/** The schema that a reference names; undefined where there is none. */
export function targetOf({ schemas }: Schemas, reference: string): Schema | undefined {
  const name = reference.replace(/^#\/(?:schemas|definitions)\//, "");
  return Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}

/** A schema with what its reference says. */
export function resolve(contract: Schemas, schema: Schema): Schema {
  const { $ref, ...siblings } = schema;
  if ($ref === undefined) return schema;
  return { ...resolve(contract, targetOf(contract, $ref) ?? {}), ...siblings };
}

/** A schema with its members, references resolved at the first level. */
export const membersOf = (contract: Contract, schema: Schema): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(resolve(contract, schema).properties ?? {}).map(([name, member]) => [
      name,
      resolve(contract, member),
    ]),
  );

/** The first documented success of an operation. */
export const successOf = ({ responses }: Operation): number =>
  responses.find(({ status }) => status < 300)?.status ?? 200;

/** The media types of its success, the preferred one first. */
export const mediaTypesOf = ({ answers }: Operation): readonly string[] =>
  answers[0]?.mediaTypes ?? [];

/** The schema of its success in JSON; null if it has none. */
export const successSchema = ({ responses }: Pick<Operation, "responses">): Schema | null =>
  responses.find(({ status, mediaType }) => status < 300 && mediaType === "application/json")
    ?.schema ?? null;

/**
 * The schema of the items, if a success is a page with `items` and `nextCursor`; null for any other
 * operation.
 */
export function pageItemOf(contract: Contract, operation: Operation): Schema | null {
  const schema = successSchema(operation);
  if (!schema || !("cursor" in operation.input)) return null;
  const { items, nextCursor } = membersOf(contract, schema);
  return nextCursor ? (items?.items ?? null) : null;
}

/** The codes with which an operation that is carried out may be rejected. */
export const handlerCodesOf = ({ steps }: Contract): readonly string[] =>
  steps.find(({ step }) => step === "handle")?.problems ?? [];

/**
 * The code with which an operation with a templated name rejects a missing name; null for any other
 * operation.
 */
export function absentCodeOf(
  contract: Contract,
  { pattern, problems: codes }: Operation,
): string | null {
  const handled = handlerCodesOf(contract);
  const code = codes.find((one) => contract.problems[one]?.status === 404 && handled.includes(one));
  return pattern === null ? null : (code ?? null);
}

/** Whether an operation may change records that exist. */
export const mayChange = (operation: Operation): boolean =>
  operation.method === "POST" && (!createsRecord(operation) || operation.opaque !== undefined);

/** Whether a success of an operation is a new record: as it is stated, or else by its status. */
export const createsRecord = (operation: Operation): boolean =>
  operation.method === "POST" &&
  (operation.effect ? operation.effect.kind === "creates" : successOf(operation) === 201);

export const IDEMPOTENCY_KEY = "idempotency-key";

/** Whether `Idempotency-Key` makes an operation safe to repeat: it has the header parameter. */
export const takesIdempotencyKey = ({ headers }: Operation): boolean =>
  headers.some(({ name }) => name.toLowerCase() === IDEMPOTENCY_KEY);

/** Whether `If-None-Match` can make the response of an operation a 304 (D12). */
export const isConditional = ({ headers }: Operation): boolean =>
  headers.some(({ name }) => name.toLowerCase() === "if-none-match");

/**
 * The requirement of a rule: the one that the spec marks, `<operation>/<rule>` if it exists,
 * otherwise the general one.
 */
export function requirementOf(
  { requirements }: Contract,
  operation: Operation | null,
  rule: string,
  general: string,
): string {
  const marked = operation?.decides[rule];
  if (marked !== undefined) return marked;
  const ownId = `${operation?.id}/${rule}`;
  return requirements.some(({ id }) => id === ownId) ? ownId : general;
}

/** A general requirement, or another one where an older contract has none of that id. */
export const statedOr = ({ requirements }: Contract, id: string, otherwise: string): string =>
  requirements.some((one) => one.id === id) ? id : otherwise;
