// The types that generated files declare, which are written as they are here: each region into one file. The types of the first
// region are exact there, of the contract at hand; here they are what they are of any.
import { readFileSync } from "node:fs";

type ProblemCode = string;
type OperationId = string;
declare const clauses: readonly Clause[];

/** The text of a region of this file. */
export function publicTypes(region: "operations" | "requirements" | "validators"): string {
  const text = readFileSync(new URL("public-types.ts", import.meta.url), "utf8");
  const begin = `// #region ${region}\n`;
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf("// #endregion", text.indexOf(begin)));
}

// #region operations
/** How a member of an input is carried: `strings` and `integers` are comma-separated lists, `json` is any JSON. */
export type MemberType = "string" | "integer" | "number" | "boolean" | "strings" | "integers" | "json";

/** A query parameter of a GET, a member of `data` of a POST, or a header parameter. */
export interface InputMember {
  readonly type: MemberType;
  readonly required: boolean;
}

/** What the protocol has to know of an operation. */
export interface Operation {
  /** The name without the parts of a template: `docs.get`. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** The name as one calls it; a part that varies stands in braces: `docs.get.{name}`. */
  readonly name: string;
  /** For a name with parts: the regular expression of the names, with a group for each part. */
  readonly pattern: string | null;
  readonly parts: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  /** Whether it needs a key and a platform. */
  readonly auth: boolean;
  readonly scope: string | null;
  readonly input: Readonly<Record<string, InputMember>>;
  /** Header parameters, without `Idempotency-Key`. */
  readonly headers: Readonly<Record<string, InputMember>>;
  /** The answers with a body that are no problems. */
  readonly answers: readonly { readonly status: number; readonly mediaTypes: readonly string[] }[];
  readonly problems: readonly ProblemCode[];
  /** Names of a template that every deployment serves. */
  readonly known: readonly string[];
  /** A valid input: parts and query members, or the members of `data`. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Where values of the input are found that exist: in the answer of another operation, by a JSON pointer; the first that is there. */
  readonly exampleFrom: Readonly<Record<string, readonly { readonly operation: string; readonly pointer: string }[]>>;
  readonly deprecation: { readonly since: string; readonly sunset: string; readonly link: string } | null;
}
// #endregion

// #region requirements
/** A clause of the contract: what requirements follow from. */
export interface Clause {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
  /** What of it has no requirement, and why; null when all of it has. */
  readonly untried: string | null;
}

/** One sentence of the contract that can be tried from outside. */
export interface Requirement {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** `given`: stated by the document that the service implements. `decided`: chosen where that document is silent. */
  readonly origin: "given" | "decided";
  /** The clause that it follows from. */
  readonly clause: (typeof clauses)[number]["id"];
  readonly sentence: string;
  /** The operation it speaks of; null when it speaks of all. */
  readonly operation: OperationId | null;
}
// #endregion

// #region validators
/** One fault that a validator found, as AJV tells it. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
  /** The schema that the keyword stands in; only of inputs. */
  readonly parentSchema?: { readonly properties?: Record<string, unknown>; readonly format?: string };
}

/** Says whether a value fits; the faults of the last call are in `errors`. */
export interface Validate {
  (value: unknown): boolean;
  errors?: ValidationError[] | null;
}

export interface OperationValidators {
  /** The input of a GET: parts and query members, already of their types. Fills in defaults. */
  readonly query: Validate | null;
  /** The whole JSON body of a POST. */
  readonly body: Validate | null;
  /** The header parameters by their names, already of their types; null where the operation has none. Fills in defaults. */
  readonly headers: Validate | null;
  /** Of what is no problem, by status and media type: `200 application/json`. Closed: a member that is not documented does not fit. */
  readonly answers: Readonly<Record<string, Validate>>;
}
// #endregion
