import type { MemberType, Operation, OperationValidators, Validate } from "../contract.ts";
import { type InputError, Problem } from "../problem.ts";
import { valuesOf } from "./head.ts";
import { faultText } from "./input-errors.ts";

type Members = Record<string, unknown>;
type Faults = readonly InputError[];
const NONE: Faults = [];

/**
 * The input of a GET, from the query parameters with these `names`, each read as its type, defaults
 * filled in; `pathParams` are sent in a template name, `faults` are further faults. Throws
 * `invalid-input`. An unreadable value stays text, so that the validator explains it.
 */
export function queryInput(
  operation: Operation,
  { query: validate }: OperationValidators,
  query: ReadonlyMap<string, string>,
  names: readonly string[],
  pathParams: Members,
  faults = NONE,
): Members {
  const input: Members = Object.create(null);
  for (const name of names)
    input[name] = read(query.get(name) ?? "", operation.input[name]?.type ?? "string");
  Object.assign(input, pathParams);
  // A part is sent in the operation's name; a parameter of that name is as unknown as any other.
  const stray = names.some((name) => Object.hasOwn(pathParams, name))
    ? [{ pointer: "#", detail: "a part of the operation's name is no parameter" }]
    : NONE;
  reject(faultsOf(validate, input, false, operation.parts), stray, faults);
  return input;
}

/**
 * The input of a POST: the member `data` of its body. Its query may hold only credentials, so there
 * are no `names`. Throws `invalid-input`.
 */
export function bodyInput(
  { body: validate }: OperationValidators,
  names: readonly string[],
  body: Members,
  faults = NONE,
): Members {
  const stray =
    names.length > 0
      ? [{ pointer: "#", detail: "the query of a POST takes only X-API-KEY and X-PLATFORM" }]
      : NONE;
  reject(faultsOf(validate, body, true), stray, faults);
  return body.data as Members; // proven by the validator: `data` is an object
}

const NO_HEADERS: { readonly headers: Readonly<Members>; readonly faults: Faults } = {
  headers: {},
  faults: NONE,
};

/**
 * The header parameters that the operation declares, each read as its type, defaults filled in, and
 * their faults (D8). An empty field counts as not sent; several fields of one name are one value,
 * joined by a comma (RFC 9110, 5.2).
 */
export function headerInput(
  operation: Operation,
  { headers: validate }: OperationValidators,
  rawHeaders: readonly string[],
): typeof NO_HEADERS {
  if (validate === null) return NO_HEADERS;
  const headers: Members = Object.create(null);
  for (const [name, { type }] of Object.entries(operation.headers)) {
    const text = valuesOf(rawHeaders, name.toLowerCase()).filter(Boolean).join(", ");
    const isList = type === "strings" || type === "integers";
    if (text !== "")
      headers[name] = read(isList ? text.split(",").map(trimBlanks).join(",") : text, type);
  }
  return { headers, faults: faultsOf(validate, headers, false) };
}

/**
 * Blanks around the items of a list do not belong to them (RFC 9110, 5.6.1). Of a run of blanks
 * only the first is tried as an end.
 */
const trimBlanks = (item: string): string => item.replaceAll(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");

/** The grammar of numbers in JSON (RFC 8259, 6). */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

function read(text: string, type: MemberType): unknown {
  switch (type) {
    case "integer":
      return integer(text);
    case "number":
      return NUMBER.test(text) ? Number(text) : text;
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

/**
 * D8: `0`, or digits without a leading zero and with a `-` if negative; beyond the safe integers it
 * would not be the number that was sent.
 */
function integer(text: string): number | string {
  const value = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : text;
}

/** A name as a token of a JSON pointer (RFC 6901, 3), and the name of a token. */
const tokenOf = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
const nameOf = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");

/** How many unknown names of one place are compared with the known ones. */
const MAX_COMPARED = 20;

/** Where the value of a body, or of parameters, is wrong; `parts` are those of a template name. */
function faultsOf(
  validate: Validate | null,
  value: unknown,
  isBody: boolean,
  parts: readonly string[] = [],
): Faults {
  if (validate === null || validate(value)) return NONE;
  const faults = new Map<string, InputError>();
  let unknownAt: string | undefined;
  const errors = validate.errors ?? [];
  for (const [index, error] of errors.entries()) {
    const { keyword, instancePath, params } = error;
    // The alternative of a union that was chosen has faults of its own.
    if (keyword === "if") continue;
    const isUnknown = keyword === "additionalProperties";
    // A thousand unknown members of one object are one fault, and AJV reports them in a row.
    if (isUnknown && instancePath === unknownAt) continue;
    if (isUnknown) unknownAt = instancePath;
    const missing = keyword === "required" ? `/${tokenOf(String(params.missingProperty))}` : "";
    const path = instancePath + missing;
    // A JSON pointer in a URI fragment (RFC 6901, 6): all names in it are those of the schema.
    const pointer = `#${encodeURI(path).replaceAll("#", "%23")}`;
    const parameter = isBody ? undefined : nameOf(path.split("/")[1] ?? "");
    // One fault for each place: an e-mail address without an @ breaks its pattern and its format at
    // once.
    const key = `${parameter || pointer} ${isUnknown}`;
    const unknown = (isUnknown ? errors.slice(index, index + MAX_COMPARED) : [])
      .filter((next) => next.keyword === keyword && next.instancePath === instancePath)
      .map((next) => String(next.params.additionalProperty));
    const detail = faultText(error, parts, isBody ? "members" : "parameters", unknown);
    // The text of the format says most.
    if (!faults.has(key) || keyword === "format")
      faults.set(key, parameter ? { parameter, detail } : { pointer, detail });
  }
  return [...faults.values()];
}

function reject(input: Faults, stray: Faults, headers: Faults): void {
  if (input.length === 0 && stray.length === 0 && headers.length === 0) return;
  throw new Problem("invalid-input", { errors: [...stray, ...headers, ...input] });
}
