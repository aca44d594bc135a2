import type { Extension } from "./extension.ts";
import type { Contract } from "./oracle/contract.ts";
import { isObject } from "./oracle/schema.ts";

/** What is wrong with a value at this place; null if nothing. */
type Form = (value: unknown, place: string) => string | null;

const first = (all: readonly (string | null)[]) => all.find((one) => one !== null) ?? null;
const is =
  (...types: readonly string[]): Form =>
  (value, place) =>
    types.includes(typeof value) ? null : `${place} must be a ${types.join(" or a ")}`;
const listOf =
  (form: Form): Form =>
  (value, place) =>
    Array.isArray(value)
      ? first(value.map((item, index) => form(item, `${place}[${index}]`)))
      : `${place} must be a list`;
/** `further`: the form of members that have no other name. */
const objectOf =
  (required: Members, optional: Members = {}, further?: Form): Form =>
  (value, place) => {
    if (!isObject(value)) return `${place || "it"} must be an object`;
    const at = (name: string) => (place === "" ? name : `${place}.${name}`);
    const forms: Members = { ...required, ...optional };
    const formOf = (name: string) => (Object.hasOwn(forms, name) ? forms[name] : further);
    return first([
      ...Object.keys(required).map((name) => (name in value ? null : `${at(name)} is missing`)),
      ...Object.entries(value).map(([name, member]) => {
        const form = formOf(name) ?? (() => `${at(name)} is unknown`);
        return member === undefined ? null : form(member, at(name));
      }),
    ]);
  };
type Members = Readonly<Record<string, Form>>;

const [text, method, texts] = [is("string"), is("function"), listOf(is("string"))];
const anything: Form = () => null;
const rule = objectOf(
  { step: text, by: is("string", "function"), code: text, fails: method },
  { more: method },
);
const ofOperation = objectOf(
  { operation: text },
  { rules: listOf(rule), unique: objectOf({}, {}, method), machine: texts, names: method },
);
const law = objectOf({ id: text, applies: method, check: method }, { isTag: is("boolean") });
const golden = objectOf({ requirement: text, title: text, exchanges: listOf(listOf(anything)) });
const script = objectOf({ id: text, requirements: texts, effect: text, run: method }, {}, anything);
const extension = objectOf(
  { id: text },
  {
    paths: texts,
    rows: method,
    rules: listOf(ofOperation),
    laws: listOf(law),
    golden: listOf(golden),
    scripts: listOf(script),
  },
);

/** What a contract lacks that the rules of its own operations name. */
function lackingFor({ rules = [] }: Extension, contract: Contract): string | null {
  const steps = contract.steps.map(({ step }) => step);
  const all = rules.filter(({ operation }) => operation in contract.operations);
  return first(
    all.flatMap(({ operation, rules: some = [], unique = {} }) => [
      ...some.map(({ step }) =>
        steps.includes(step)
          ? null
          : `a rule of ${operation} has the step ${step}; the contract has ${steps.join(", ")}`,
      ),
      ...[...some.map(({ code }) => code), ...Object.keys(unique)].map((code) =>
        code in contract.problems
          ? null
          : `a rule of ${operation} has the code ${code}, which is no problem of the contract`,
      ),
    ]),
  );
}

/**
 * Throws an `Error` that names the first place where a value is no extension, or an extension that
 * does not fit the contract.
 */
export function assertExtension(value: unknown, contract: Contract): asserts value is Extension {
  const fault = extension(value, "");
  if (fault !== null) throw new Error(`it is no extension: ${fault}`);
  const checked = value as Extension; // As its form says.
  const lack = lackingFor(checked, contract);
  if (lack !== null) throw new Error(`extension ${checked.id}: ${lack}`);
}

/** What an extension has about requirements and operations that the contract does not have. */
export function leftOutOf(
  { id, rules = [], laws = [], golden = [], scripts = [] }: Extension,
  { requirements, operations }: Contract,
): string | null {
  const known = new Set([...requirements.map((one) => one.id), ...Object.keys(operations)]);
  const named = [
    rules.map(({ operation }) => operation),
    laws.map((law) => law.id),
    golden.map(({ requirement }) => requirement),
    scripts.flatMap((script) => script.requirements),
  ].flat();
  const missing = [...new Set(named)].filter((name) => !known.has(name));
  return missing.length === 0
    ? null
    : `extension ${id}: left out, since the contract does not have it: ${missing.join(", ")}`;
}
