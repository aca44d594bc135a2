// The form of the value that the emitter of `spec/protocol` writes for a spec. Nothing of one
// service is in it.

/** Parts of a contract, each under its name. */
type ByName<T> = Readonly<Record<string, T>>;

/** A contract as a value: what the service of a spec serves. */
export interface Contract {
  readonly title: string;
  readonly version: string;
  /** The SHA-256 of the wire document that was generated with it. */
  readonly hash: string;
  /** The limits of HTTP itself (D13). */
  readonly limits: Limits;
  /**
   * The realm of a 401, and what each key begins with; its last character is no hexadecimal digit.
   */
  readonly keys: { readonly realm: string; readonly prefix: string };
  /** By their codes (RFC 9457). */
  readonly problems: ByName<{
    readonly status: number;
    readonly title: string;
    readonly detail: string;
  }>;
  /** Every scope that an operation needs. */
  readonly scopes: readonly string[];
  /** The order of checks: every step, its condition, and the codes that it rejects with. */
  readonly steps: readonly {
    readonly step: string;
    readonly does: string;
    readonly problems: readonly string[];
  }[];
  readonly operations: ByName<Operation>;
  readonly validators: ByName<OperationValidators>;
}

type Limits = Readonly<
  Record<
    "targetBytes" | "headBytes" | "headFields" | "bodyBytes" | "bodyDepth" | "bodyParts" | "faults",
    number
  >
>;

/**
 * How a member of an input is carried: `strings` and `integers` are comma-separated lists, `json`
 * is any JSON.
 */
export type MemberType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "strings"
  | "integers"
  | "json";

/** A query parameter of a GET, a member of `data` of a POST, or a header parameter. */
interface InputMember {
  readonly type: MemberType;
  readonly required: boolean;
}

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
  readonly input: ByName<InputMember>;
  /** Header parameters, without `Idempotency-Key`. */
  readonly headers: ByName<InputMember>;
  /** Whether it has the header parameter `Idempotency-Key` (D25). */
  readonly takesIdempotencyKey: boolean;
  /** The responses with a body that are no problems. */
  readonly answers: readonly { readonly status: number; readonly mediaTypes: readonly string[] }[];
  readonly problems: readonly string[];
  /** Those of them that come from what it does, not from the protocol. */
  readonly ownProblems: readonly string[];
  /** Names of a template that every deployment serves. */
  readonly known: readonly string[];
  /** A valid input: parts and query members, or the members of `data`. */
  readonly example: ByName<unknown>;
  /**
   * Where values of the input are found that exist: in the response of another operation, by a JSON
   * pointer; the first that is there.
   */
  readonly exampleFrom: ByName<readonly { readonly operation: string; readonly pointer: string }[]>;
  readonly deprecation: {
    readonly since: string;
    readonly sunset: string;
    readonly link: string;
  } | null;
}

/** One fault that a validator found, as AJV reports it. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
  /** The schema of the keyword; only of inputs. */
  readonly parentSchema?: {
    readonly properties?: Record<string, unknown>;
    readonly format?: string;
    readonly maxLength?: number;
  };
}

/** Whether a value is valid; the faults of the last call are in `errors`. */
export interface Validate {
  (value: unknown): boolean;
  errors?: ValidationError[] | null;
}

export interface OperationValidators {
  /** The input of a GET: parts and query members, already of their types. Fills in defaults. */
  readonly query: Validate | null;
  /** The whole JSON body of a POST. */
  readonly body: Validate | null;
  /**
   * The header parameters by their names, already of their types; null where the operation has
   * none. Fills in defaults.
   */
  readonly headers: Validate | null;
  /**
   * Of what is no problem, by status and media type: `200 application/json`. Closed: a member that
   * is not documented is not valid.
   */
  readonly answers: ByName<Validate>;
}
