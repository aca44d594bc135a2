import type { MemberType } from "../../generated/operations.ts";
import type { OperationValidators, Validate, ValidationError } from "../../generated/validators.ts";
import type { OperationFacts } from "./operation-table.ts";
import { type InputError, Problem } from "./problem.ts";

/** At most so many faults are listed in one answer (D8). */
const MAX_FAULTS = 20;

type Members = Record<string, unknown>;

/**
 * The input of a GET out of the parameters of its query with these `names`, each read as its type, defaults filled in; `parts` are
 * those of a template name. Throws `invalid-input`. What cannot be read stays text, so that the validator says what is wrong with it.
 */
export function queryInput(
  operation: OperationFacts,
  { query: validate }: OperationValidators,
  query: ReadonlyMap<string, string>,
  names: readonly string[],
  parts: Members,
): Members {
  const input: Members = Object.create(null);
  for (const name of names) input[name] = read(query.get(name) ?? "", operation.input[name]?.type ?? "string");
  Object.assign(input, parts);
  // A part stands in the operation's name; a parameter called like it is as unknown as any other.
  const stray = names.some((name) => Object.hasOwn(parts, name))
    ? [{ pointer: "#", detail: "a part of the operation's name is no parameter" }]
    : [];
  judge(
    validate,
    input,
    ({ instancePath }, missing) => {
      const [name] = missing === undefined ? instancePath.slice(1).split("/") : [missing];
      return name ? { parameter: name } : { pointer: "#" };
    },
    stray,
    operation.parts,
  );
  return input;
}

/** The input of a POST: the member `data` of its body. Its query takes nothing but credentials, so there are no `names`. Throws `invalid-input`. */
export function bodyInput({ body: validate }: OperationValidators, names: readonly string[], body: Members): Members {
  const stray =
    names.length > 0 ? [{ pointer: "#", detail: "the query of a POST takes only X-API-KEY and X-PLATFORM" }] : [];
  judge(
    validate,
    body,
    ({ instancePath }, missing) => ({
      pointer: `#${encodeURI(instancePath)}${missing === undefined ? "" : `/${missing}`}`,
    }),
    stray,
  );
  return body.data as Members; // proven by the validator: `data` is an object
}

function read(text: string, type: MemberType): unknown {
  switch (type) {
    case "integer":
      return integer(text);
    case "number":
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "strings":
      return text.split(",");
    case "integers":
      return text.split(",").map(integer);
    default:
      return text;
  }
}

/** D8: `0` or digits without a leading zero; beyond the safe integers a number would not be the one that was sent. */
function integer(text: string): number | string {
  const value = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : text;
}

type Place = { readonly pointer: string } | { readonly parameter: string };

function judge(
  validate: Validate | null,
  value: unknown,
  place: (error: ValidationError, missing?: string) => Place,
  stray: readonly InputError[] = [],
  parts: readonly string[] = [],
): void {
  if ((validate === null || validate(value)) && stray.length === 0) return;
  const faults = new Map<string, InputError>(stray.map((fault) => [fault.detail, fault]));
  for (const error of validate?.errors ?? []) {
    const missing = error.keyword === "required" ? String(error.params.missingProperty) : undefined;
    const where = place(error, missing);
    // One fault a place: an e-mail address without an @ breaks its pattern and its format at once.
    const key = `${"pointer" in where ? where.pointer : where.parameter} ${error.keyword === "additionalProperties"}`;
    if (!faults.has(key)) faults.set(key, { ...where, detail: detail(error, parts) });
  }
  throw new Problem("invalid-input", { errors: [...faults.values()].slice(0, MAX_FAULTS) });
}

/** In words that hold nothing of what was sent. The parts of a template name are not allowed as members: they are sent in the name. */
function detail({ keyword, params, message, parentSchema }: ValidationError, parts: readonly string[]): string {
  switch (keyword) {
    case "additionalProperties": {
      const names = Object.keys(parentSchema?.properties ?? {}).filter((name) => !parts.includes(name));
      return names.length > 0 ? `has members that are not known; allowed are ${names.join(", ")}` : "takes no members";
    }
    case "required":
      return "is required";
    case "pattern":
      return "does not have the form that docs.get.reference gives for it";
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    default:
      return message ?? "is not valid";
  }
}
