import * as compiler from "@typespec/compiler";
import {
  getAllHttpServices,
  type HttpOperation,
  type HttpPayloadBody,
  type HttpStatusCodesEntry,
} from "@typespec/http";
import { reportDiagnostic } from "../library.js";
import { FORMATS } from "./formats.ts";
import { FORMS, LITERALS, literalForm, optionsOf, type Place } from "./forms.ts";
import { innerPattern } from "./part-pattern.ts";

/**
 * Where a type is used: `at` has the decorators of this use, and is what a diagnostic points at.
 */
interface Use {
  readonly place: Place;
  readonly at: compiler.Type;
  readonly inUnion?: boolean;
}

/** Reports what operations are made of and the list of forms has not, each where it is written. */
export function checkForms(program: compiler.Program): void {
  const walk = new Walk(program);
  for (const operation of getAllHttpServices(program)[0].flatMap(({ operations }) => operations)) {
    for (const parameter of operation.parameters.parameters) {
      const { type: kind, param, name } = parameter;
      const use = { place: kind === "header" ? "header" : "query", at: param } as const;
      if (name in Object.prototype) walk.misnamed(param, INHERITED, name);
      if (kind === "cookie") walk.check("@cookie", use);
      else if (kind !== "path" && parameter.explode) walk.check("exploded list", use);
      else if (kind === "path") walk.part(param);
      else walk.member(param, use);
    }
    if (operation.operation.name === "__proto__") walk.misnamed(operation.operation, INHERITED);
    walk.operationExamples(operation.operation);
    checkInput(walk, operation);
    const answers = operation.responses.filter(({ type }) => !compiler.isErrorModel(program, type));
    const use = { place: "response", at: operation.operation } as const;
    if (answers.length === 0) walk.check("no body", use);
    for (const { statusCodes, responses } of answers) {
      const bodies = responses.flatMap(({ body }) => body ?? []);
      checkStatus(walk, statusCodes, bodies.length > 0, use);
      for (const body of bodies) checkAnswer(walk, body, use);
    }
  }
}

function checkInput(walk: Walk, { operation, verb, parameters: { body } }: HttpOperation): void {
  if (!body) return;
  const use = { place: "body", at: operation } as const;
  const envelope = body.bodyKind === "single" && body.type.kind === "Model" ? body.type : undefined;
  const data = envelope?.properties.get("data")?.type;
  if (body.bodyKind !== "single") walk.check("multipart or file", use);
  else if (verb === "get") walk.check("body of a query", use);
  else if (data?.kind === "Model" && data.indexer && compiler.isNeverType(data.indexer.value))
    walk.type(data, use);
  else walk.check("bare value", use);
}

function checkStatus(walk: Walk, status: HttpStatusCodesEntry, hasBody: boolean, use: Use): void {
  // A document that the caller has.
  if (status === 304 && !hasBody) return;
  if (typeof status !== "number") walk.check("range of statuses", use);
  else if (status < 200 || (status >= 300 && status < 400)) walk.check("another status", use);
  else if (!hasBody || status === 204 || status === 205) walk.check("no body", use);
}

function checkAnswer(walk: Walk, body: HttpPayloadBody, use: Use): void {
  const isJson = body.contentTypes.some((type) => type.includes("json"));
  const isBare = optionsOf(body.type).some(
    (type) => type.kind !== "Model" || compiler.isArrayModelType(type),
  );
  if (body.bodyKind !== "single") walk.check("multipart or file", use);
  else if (isJson && isBare) walk.check("bare value", use);
  else walk.type(body.type, use);
}

type Named = Extract<compiler.Type, { readonly name?: string }>;
const isNamed = (type: compiler.Type): type is Named =>
  "name" in type && typeof type.name === "string";

/** Why a parameter or a type is not named as what every object has. */
const INHERITED = "the compiler looks it up in an object, and every object has it";

const isText = ({ place }: Use): boolean => place === "query" || place === "header";

/** What a list in a query or a header holds, by the types of `InputMember`. */
const ITEMS = /^(string|url|enum|literals|u?int\d+|safeint|integer|plain\w+|duration|.* as \w+)$/;

class Walk {
  readonly #seen = new Map<compiler.Type, Set<string>>();
  constructor(private readonly program: compiler.Program) {}

  check(form: string, { place, at: target }: Use): void {
    const { places, instead } = FORMS.get(form) ?? { places: [], instead: "" };
    const format = { form, place, instead };
    if (!places.includes(place)) reportDiagnostic(this.program, { code: "form", format, target });
  }

  misnamed(target: Named, why: string, name = target.name ?? ""): void {
    reportDiagnostic(this.program, { code: "name", format: { name, why }, target });
  }

  member(property: compiler.ModelProperty, use: Use): void {
    const memberUse = { ...use, at: property };
    if (property.name === "__proto__")
      this.misnamed(property, "a body with such a member is malformed");
    const name = compiler.resolveEncodedName(this.program, property, "application/json");
    if (name !== property.name) this.check("@encodedName", memberUse);
    if (property.defaultValue && !property.optional) this.check("default without ?", memberUse);
    if (property.defaultValue && use.inUnion) this.check("default in a union", memberUse);
    if (property.defaultValue) this.#value("default", property.defaultValue, property);
    this.#examples(property);
    this.type(property.type, memberUse);
  }

  operationExamples(target: compiler.Operation): void {
    for (const { parameters, returnType } of compiler.getOpExamples(this.program, target)) {
      if (parameters) this.#value("example", parameters, target.parameters, target);
      if (returnType) this.#value("example", returnType, target.returnType, target);
    }
  }

  type(type: compiler.Type, use: Use): void {
    if (isNamed(type) && (type.name ?? "") in Object.prototype) this.misnamed(type, INHERITED);
    if (type.kind === "Scalar") {
      const decorated = [use.at, ...scalars(type)];
      for (const at of decorated) this.#texts(at, { ...use, at });
      for (const scalar of scalars(type)) this.#examples(scalar);
      const form = this.#scalarForm(type, use);
      this.check(form, use);
      const isText =
        !/^(u?int|safeint|integer|float|numeric)/.test(form) || form.endsWith("string");
      if (isText && decorated.some((at) => isDecorated(at, /^@(min|max)Value$/)))
        this.check("@minValue of a text", use);
    } else if (type.kind === "Union") this.#union(type, use);
    else if (type.kind !== "Model") this.check(literalForm(type), use);
    else if (compiler.isArrayModelType(type)) this.#list(type.indexer.value, use);
    else this.#model(type, use);
  }

  /** A part of a name is found by its pattern. */
  part(target: compiler.ModelProperty): void {
    const { type, name } = target;
    const at = [target, ...(type.kind === "Scalar" ? scalars(type) : [])];
    const pattern = at.map((one) => compiler.getPattern(this.program, one)).find(Boolean);
    if (innerPattern(pattern ?? "") === null)
      reportDiagnostic(this.program, { code: "part-pattern", format: { name }, target });
    else this.type(type, { place: "query", at: target });
  }

  #scalarForm(type: compiler.Scalar, { place, at }: Use): string {
    const chain = scalars(type);
    const name = chain.find((one) => this.program.checker.isStdType(one))?.name ?? "unknown";
    const encoded = [at, ...chain].map((one) => encodeOf(this.program, one)).find(Boolean);
    const isTime = name === "utcDateTime" || name === "offsetDateTime";
    const how = encoded ?? (isTime ? (place === "header" ? "rfc7231" : "rfc3339") : undefined);
    if (how === undefined || name === "bytes") return name;
    return FORMS.has(`${name} as ${how}`) ? `${name} as ${how}` : "another @encode";
  }

  /** What the decorators of a member or a scalar say of its value. */
  #texts(type: compiler.Type, use: Use): void {
    const { program } = this;
    if (isDecorated(type, /^@(min|max)ValueExclusive$/)) this.check("exclusive bound", use);
    if (!Object.hasOwn(FORMATS, compiler.getFormat(program, type) ?? "uuid"))
      this.check("another @format", use);
    const advice = adviceOn(compiler.getPattern(program, type) ?? "");
    if (advice) reportDiagnostic(program, { code: "pattern", format: { advice }, target: type });
  }

  #examples(target: compiler.Model | compiler.ModelProperty | compiler.Scalar): void {
    for (const { value } of compiler.getExamples(this.program, target))
      this.#value("example", value, target);
  }

  /**
   * The compiler cannot write a value of an initializer of a scalar's own, and stops at one of
   * `now` or of a text that it cannot read.
   */
  #value(what: string, value: compiler.Value, type: compiler.Type, target = type): void {
    const why = "no JSON stands for it; write a literal, or fromISO of a date or a time";
    try {
      if (compiler.serializeValueAsJson(this.program, value, type) !== undefined) return;
    } catch {
      // What it throws has no place.
    }
    reportDiagnostic(this.program, { code: "value", format: { what, why }, target });
  }

  #union(type: compiler.Union, use: Use): void {
    const options = optionsOf(type);
    const some = options.filter((option) => !compiler.isNullType(option));
    const unionForm = some.length < options.length ? "T | null" : "union";
    const literal = literalForm(type);
    const form = LITERALS.has(literal) ? literal : unionForm;
    const isAny = (option: compiler.Type) => literalForm(option) === "unknown";
    if (some.length > 1 && some.some(isAny)) this.check("unknown in a union", use);
    const isDiscriminated = compiler.getDiscriminatedUnion(this.program, type)[0] !== undefined;
    this.check(isDiscriminated ? "discriminated union" : form, use);
    if (isDiscriminated || form !== unionForm || isText(use)) return;
    for (const option of some)
      this.type(option, { ...use, inUnion: use.inUnion === true || some.length > 1 });
  }

  #list(item: compiler.Type, use: Use): void {
    const form = item.kind === "Scalar" ? this.#scalarForm(item, use) : literalForm(item);
    if (encodeOf(this.program, use.at)?.startsWith("ArrayEncoding"))
      this.check("another @encode", use);
    else if (isText(use) && !ITEMS.test(form)) this.check("list", use);
    else this.type(item, use);
  }

  #model(type: compiler.Model, use: Use): void {
    this.check(type.name === "Record" ? "Record<T>" : "model", use);
    const known = this.#seen.get(type) ?? new Set();
    const key = `${use.place} ${use.inUnion === true}`;
    if (isText(use) || known.has(key)) return;
    this.#seen.set(type, known.add(key));
    // `Record<T>` is written in a library.
    const isOwn = type.name !== "" && type.name !== "Record" && type.node !== undefined;
    const modelUse = { ...use, at: isOwn ? type : use.at };
    this.#examples(type);
    if (compiler.getDiscriminator(this.program, type)) this.check("discriminated union", modelUse);
    if (!type.indexer) this.check("open model", modelUse);
    else if (!compiler.isNeverType(type.indexer.value)) this.type(type.indexer.value, modelUse);
    for (const property of compiler.walkPropertiesInherited(type)) this.member(property, use);
  }
}

/** A scalar and what it extends, its own type first. */
const scalars = (type: compiler.Scalar): compiler.Scalar[] => [
  type,
  ...(type.baseScalar ? scalars(type.baseScalar) : []),
];

function encodeOf(program: compiler.Program, type: compiler.Type): string | undefined {
  if (type.kind !== "Scalar" && type.kind !== "ModelProperty") return undefined;
  const encode = compiler.getEncode(program, type);
  return encode && (encode.encoding ?? encode.type?.name);
}

const isDecorated = (type: compiler.Type, name: RegExp): boolean =>
  "decorators" in type &&
  type.decorators.some(({ definition }) => name.test(definition?.name ?? ""));

/**
 * What to write in place of a pattern that the flag `u` rejects, with which JSON Schema has it;
 * nothing if it is right.
 */
function adviceOn(pattern: string): string | undefined {
  const isRight = (text: string) => {
    try {
      return Boolean(new RegExp(text, "u"));
    } catch {
      return false;
    }
  };
  // A backslash before what needs none; a hyphen needs one in a class only.
  const needless = [/\\([^\w^$\\.*+?()[\]{}|/-]|_)/g, /\\([^\w^$\\.*+?()[\]{}|/]|_)/g];
  if (isRight(pattern)) return undefined;
  const repaired = needless.map((found) => pattern.replace(found, "$1")).find(isRight);
  return repaired === undefined ? "write one that does" : `write ${JSON.stringify(repaired)}`;
}
