import { every, type Known } from "../../client/operation.ts";
import { answersItself, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { isObject, jsonBody, queryOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withJsonBody, withQuery } from "../proxy/shape.ts";
import { called, inputOf, isPost, KEY, of, oneParameter, PLATFORM, type Repair, withInput } from "../requests.ts";
import { inputSchemas, isFree, type Schema } from "../schemas.ts";

/** Broken judgement of the input: each bound, type and rule of each member of each operation. */

interface Member {
  readonly operation: Known;
  readonly name: string;
  readonly schema: Schema & { readonly needed: boolean };
}

const members: readonly Member[] = every.flatMap((operation) =>
  Object.entries(inputSchemas(operation.id)).map(([name, schema]) => ({ operation, name, schema })),
);

/** What a member is read as; the value itself: as it is. */
type Reading = (value: unknown) => unknown;
type Readings = Readonly<Record<string, Reading>>;

const ofMember = ({ operation, name }: Member, read: Reading): Repair =>
  of(operation, (request) => {
    const value = inputOf(request, name);
    const after = read(value);
    return after === value ? request : withInput(request, name, after);
  });

const readAs = (member: Member, readings: Readings): Mutant[] =>
  Object.entries(readings).map(([how, read]) =>
    takesFor(`${member.operation.id} ${member.name} ${how}`, ofMember(member, read)),
  );

const points = (value: unknown) => (typeof value === "string" ? [...value].length : -1);
const cut = (value: unknown, to = -1) => [...String(value)].slice(0, to).join("");
const number = (value: unknown) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : Number.NaN);
/** What fits, taken for what does not, or the other way round. */
const when =
  (test: (value: unknown) => boolean, instead: Reading): Reading =>
  (value) =>
    test(value) ? instead(value) : value;

/** What is beyond a bound taken for the bound, and the bound itself refused. */
function bounds({ minimum, maximum, minLength, maxLength, pattern }: Schema): Readings {
  const tooLong = () => "x".repeat((maxLength ?? 0) + 1);
  const fits = (value: unknown) => points(value) >= 0 && points(value) <= (maxLength ?? 0);
  const units: Readings = {
    "counts UTF-16 units": when((value) => fits(value) && String(value).length > (maxLength ?? 0), tooLong),
    "counts bytes": when((value) => fits(value) && Buffer.byteLength(String(value)) > (maxLength ?? 0), tooLong),
  };
  return {
    ...(maximum !== undefined && {
      "takes more than the most": when(
        (value) => number(value) === maximum + 1,
        () => maximum,
      ),
      "takes anything more for the most": when(
        (value) => number(value) > maximum,
        () => maximum,
      ),
      "refuses the most": when(
        (value) => number(value) === maximum,
        () => maximum + 1,
      ),
    }),
    ...(minimum !== undefined && {
      "takes less than the least": when(
        (value) => number(value) === minimum - 1,
        () => minimum,
      ),
      "takes anything less for the least": when(
        (value) => number(value) < minimum,
        () => minimum,
      ),
      "refuses the least": when(
        (value) => number(value) === minimum,
        () => minimum - 1,
      ),
    }),
    ...(maxLength !== undefined && {
      "cuts what is longer by one": when(
        (value) => points(value) === maxLength + 1,
        (value) => cut(value),
      ),
      "cuts what is longer": when(
        (value) => points(value) > maxLength,
        (value) => cut(value, maxLength),
      ),
      "refuses the longest": when((value) => points(value) === maxLength, tooLong),
      ...(isFree(pattern) && units),
    }),
    ...(minLength !== undefined && {
      "takes what is too short": when(
        (value) => points(value) === minLength - 1,
        () => "x".repeat(minLength),
      ),
      "refuses the shortest": when(
        (value) => points(value) === minLength,
        () => "",
      ),
    }),
  };
}

/** Numbers that are none in the contract's eyes (D8). */
const numbers: Readonly<Record<string, (text: string) => number>> = {
  "by Number": Number,
  "by parseInt": (text) => Number.parseInt(text, 10),
  "by parseFloat": (text) => Math.floor(Number.parseFloat(text)),
  "with a sign": (text) => Number(text.replace(/^\+/, "")),
  "in any digits": (text) => Number(text.normalize("NFKC")),
  "with separators": (text) => Number(text.replace(/[_,']/g, "")),
  "by the first of a list": (text) => Number(text.split(",")[0]),
};

const readNumber =
  ({ minimum = 0, maximum = 1e9 }: Schema, read: (text: string) => number): Reading =>
  (value) => {
    if (typeof value !== "string" || /^-?(0|[1-9]\d*)$/.test(value)) return value;
    const after = read(value);
    return Number.isSafeInteger(after) && after >= minimum && after <= maximum ? after : value;
  };

/** Whatever the schema says of the form, as far as a mutant has to know it. */
function isForm({ pattern, format }: Schema, value: string): boolean {
  if (format === "email") return /^[^@\s]+@[^@\s.]+\.[^@\s]+$/.test(value);
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}

/** What other types and forms are taken for. */
function types({ operation, name, schema }: Member): Readings {
  const inQuery = operation.method === "GET";
  const otherwise = () => (inQuery ? undefined : fresh(operation.example[name] ?? schema.default));
  const isText = (value: unknown) => typeof value === "string";
  const isNumber = schema.type === "integer" || schema.type === "number";
  return {
    "is ignored": when((value) => value !== undefined, otherwise),
    "may be empty": when((value) => value === "", otherwise),
    "is trimmed": when(isText, (value) => String(value).trim()),
    "is cut at a NUL": when(isText, (value) => String(value).split("\0")[0]),
    ...(!inQuery && {
      "may be null": when((value) => value === null, otherwise),
      "may be a number": when((value) => typeof value === "number", otherwise),
      "may be a boolean": when((value) => typeof value === "boolean", otherwise),
      "may be a list": when(Array.isArray, otherwise),
      "may be an object": when(isObject, otherwise),
    }),
    ...(isNumber &&
      Object.fromEntries(Object.entries(numbers).map(([how, read]) => [`is read ${how}`, readNumber(schema, read)]))),
    ...(!isNumber &&
      (schema.pattern || schema.format) && {
        "may have any form": when((value) => isText(value) && !isForm(schema, String(value)), otherwise),
        ...(!inQuery && { "is lowered": when(isText, (value) => String(value).toLowerCase()) }),
      }),
  };
}

/** A member that is absent: taken for one that is there, refused, or for another value than its default. */
function absence({ operation, name, schema }: Member): Mutant[] {
  const at = `${operation.id} ${name}`;
  const isAbsent = (request: ProxyRequest) => inputOf(request, name) === undefined;
  if (schema.needed)
    return [
      takesFor(
        `${at} may be missing`,
        of(operation, (request) =>
          isObject(jsonBody(request)?.data) && isAbsent(request)
            ? withInput(request, name, fresh(operation.example[name]))
            : request,
        ),
      ),
    ];
  const defaults = schema.default === undefined ? {} : { "another default": -1, "a larger default": 1 };
  return [
    answersItself(`${at} must be there`, OUTCOME, (request) =>
      called(request)?.id === operation.id && request.method === operation.method && isAbsent(request)
        ? respondProblem(422, "invalid-input")
        : null,
    ),
    ...Object.entries(defaults).map(([which, more]) =>
      takesFor(
        `${at} has ${which}`,
        of(operation, (request) =>
          request.method === "GET" && isAbsent(request)
            ? withInput(request, name, Number(schema.default) + more)
            : request,
        ),
      ),
    ),
  ];
}

let made = 0;
/** An example's value; an e-mail address that nobody has. */
export function fresh(example: unknown): unknown {
  made += 1;
  return typeof example === "string" ? example.replace("@", `+${process.pid}-${made}@`) : example;
}

const known = (operation: Known, name: string) => ["@", KEY, PLATFORM, ...Object.keys(operation.input)].includes(name);
const pick = (data: Record<string, unknown>, { input }: Known) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name in input));
/** Without the parameters that a test is true of. */
const without = (request: ProxyRequest, test: (name: string) => boolean) =>
  withQuery(request, (query) => {
    for (const name of [...query.keys()]) if (test(name)) query.delete(name);
  });

/** What nobody asked for, passed over, and the input looked for where it is not. */
const ofAll: Readonly<Record<string, (operation: Known) => Repair>> = {
  "passes over unknown parameters": (operation) => (request) => without(request, (name) => !known(operation, name)),
};
const ofQueries: typeof ofAll = {
  "passes over parameters in another case": (operation) => (request) =>
    without(request, (name) => !known(operation, name) && known(operation, name.toLowerCase())),
  "takes the first of several values": oneOf(0),
  "takes the last of several values": oneOf(-1),
};
const ofCommands: typeof ofAll = {
  "passes over unknown members": (operation) => (request) =>
    withJsonBody(request, ({ "@": name, data }) => ({
      "@": name,
      data: isObject(data) ? pick(data, operation) : data,
    })),
  "passes over members beside data": () => (request) =>
    withJsonBody(request, ({ "@": name, data }) => ({ "@": name, ...(data === undefined ? {} : { data }) })),
  "passes over unknown members of data": (operation) => (request) =>
    withJsonBody(request, (body) => (isObject(body.data) ? { ...body, data: pick(body.data, operation) } : body)),
  "reads its input beside data": (operation) => (request) => {
    const { "@": name, data, ...rest } = jsonBody(request) ?? {};
    return data === undefined && Object.keys(operation.input).some((member) => member in rest)
      ? withJsonBody(request, () => ({ "@": name, data: rest }))
      : request;
  },
  "reads its input in the query": (operation) => (request) => {
    const found = [...queryOf(request)].filter(([name]) => name in operation.input);
    if (!isPost(request) || found.length === 0) return request;
    const bare = without(request, (name) => name in operation.input);
    return withJsonBody(bare, (body) => ({ ...body, data: { ...Object.fromEntries(found), ...Object(body.data) } }));
  },
  "passes over parameters of the query": (operation) => (request) =>
    isPost(request) ? without(request, (name) => name in operation.input) : request,
};

function oneOf(at: number): (operation: Known) => Repair {
  return ({ input }) =>
    (request) =>
      Object.keys(input).reduce((changed, name) => oneParameter(changed, name, at), request);
}

const strangers = every.flatMap((operation) => {
  const takesMany = members.some((member) => member.operation === operation) && operation.method === "GET";
  const all = { ...ofAll, ...(takesMany && ofQueries), ...(operation.method === "POST" && ofCommands) };
  return Object.entries(all).map(([what, repair]) =>
    takesFor(`${operation.id} ${what}`, of(operation, repair(operation))),
  );
});

export const mutants: readonly Mutant[] = [
  ...members.flatMap((member) => [
    ...readAs(member, { ...bounds(member.schema), ...types(member) }),
    ...absence(member),
  ]),
  ...strangers,
];
