import { every, type Known } from "../../client/operation.ts";
import { answersItself, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { isObject, jsonBody, queryOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withJsonBody, withQuery } from "../proxy/shape.ts";
import { called, inputOf, isPost, KEY, of, PLATFORM, type Repair, withInput } from "../requests.ts";
import { inputSchemas, type Schema } from "./schemas.ts";

/** Broken judgement of the input: each bound, type and rule of each member of each operation. */

interface Member {
  readonly operation: Known;
  readonly name: string;
  readonly schema: Schema & { readonly needed: boolean };
}

const members: readonly Member[] = every.flatMap((operation) =>
  Object.entries(inputSchemas(operation.id)).map(([name, schema]) => ({ operation, name, schema })),
);

const ofMember = ({ operation, name }: Member, change: (value: unknown, request: ProxyRequest) => unknown): Repair =>
  of(operation, (request) => {
    const value = inputOf(request, name);
    const after = change(value, request);
    return after === value ? request : withInput(request, name, after);
  });

const points = (value: unknown) => (typeof value === "string" ? [...value].length : -1);

/** What is beyond a bound taken for the bound, and the bound itself refused. */
function bounds(member: Member): Mutant[] {
  const { operation, name, schema } = member;
  const { minimum, maximum, minLength, maxLength } = schema;
  const at = `${operation.id} ${name}`;
  const number = (value: unknown) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : Number.NaN);
  const length = (bound: number, text: string) => text.repeat(bound).slice(0, bound);
  return [
    ...(maximum === undefined
      ? []
      : [
          takesFor(
            `${at} takes more than the most`,
            ofMember(member, (value) => (number(value) === maximum + 1 ? maximum : value)),
          ),
          takesFor(
            `${at} takes anything more for the most`,
            ofMember(member, (value) => (number(value) > maximum ? maximum : value)),
          ),
          takesFor(
            `${at} refuses the most`,
            ofMember(member, (value) => (number(value) === maximum ? maximum + 1 : value)),
          ),
        ]),
    ...(minimum === undefined
      ? []
      : [
          takesFor(
            `${at} takes less than the least`,
            ofMember(member, (value) => (number(value) === minimum - 1 ? minimum : value)),
          ),
          takesFor(
            `${at} takes anything less for the least`,
            ofMember(member, (value) => (number(value) < minimum ? minimum : value)),
          ),
          takesFor(
            `${at} refuses the least`,
            ofMember(member, (value) => (number(value) === minimum ? minimum - 1 : value)),
          ),
        ]),
    ...(maxLength === undefined
      ? []
      : [
          takesFor(
            `${at} cuts what is longer by one`,
            ofMember(member, (value) => (points(value) === maxLength + 1 ? cut(value) : value)),
          ),
          takesFor(
            `${at} cuts what is longer`,
            ofMember(member, (value) => (points(value) > maxLength ? cut(value, maxLength) : value)),
          ),
          takesFor(
            `${at} refuses the longest`,
            ofMember(member, (value) => (points(value) === maxLength ? length(maxLength + 1, "x") : value)),
          ),
          takesFor(
            `${at} counts UTF-16 units`,
            ofMember(member, (value) =>
              points(value) >= 0 && points(value) <= maxLength && String(value).length > maxLength
                ? length(maxLength + 1, "x")
                : value,
            ),
          ),
          takesFor(
            `${at} counts bytes`,
            ofMember(member, (value) =>
              points(value) >= 0 && points(value) <= maxLength && Buffer.byteLength(String(value)) > maxLength
                ? length(maxLength + 1, "x")
                : value,
            ),
          ),
        ]),
    ...(minLength === undefined
      ? []
      : [
          takesFor(
            `${at} takes what is too short`,
            ofMember(member, (value) => (points(value) === minLength - 1 ? length(minLength, "x") : value)),
          ),
          takesFor(
            `${at} refuses the shortest`,
            ofMember(member, (value) => (points(value) === minLength ? "" : value)),
          ),
        ]),
  ];
}

const cut = (value: unknown, to = -1) => [...String(value)].slice(0, to).join("");

/** What other types are taken for. */
function types(member: Member): Mutant[] {
  const { operation, name, schema } = member;
  const at = `${operation.id} ${name}`;
  const example = operation.example[name] ?? schema.default;
  const isNumber = schema.type === "integer" || schema.type === "number";
  const absent = (value: unknown) => value === undefined;
  const inQuery = operation.method === "GET";
  return [
    ...(schema.needed
      ? [
          takesFor(
            `${at} may be missing`,
            of(operation, (request) =>
              isObject(jsonBody(request)?.data) && absent(inputOf(request, name))
                ? withInput(request, name, fresh(example))
                : request,
            ),
          ),
        ]
      : [
          answersItself(`${at} must be there`, OUTCOME, (request) =>
            called(request)?.id === operation.id &&
            request.method === operation.method &&
            absent(inputOf(request, name))
              ? respondProblem(422, "invalid-input")
              : null,
          ),
        ]),
    takesFor(
      `${at} is ignored`,
      ofMember(member, (value) => (absent(value) ? value : inQuery ? undefined : fresh(example))),
    ),
    takesFor(
      `${at} may be empty`,
      ofMember(member, (value) => (value === "" ? (inQuery ? undefined : fresh(example)) : value)),
    ),
    takesFor(
      `${at} is trimmed`,
      ofMember(member, (value) => (typeof value === "string" ? value.trim() : value)),
    ),
    takesFor(
      `${at} is cut at a NUL`,
      ofMember(member, (value) => (typeof value === "string" ? value.split("\0")[0] : value)),
    ),
    ...(inQuery
      ? []
      : [
          takesFor(
            `${at} may be null`,
            ofMember(member, (value) => (value === null ? fresh(example) : value)),
          ),
          takesFor(
            `${at} may be a number`,
            ofMember(member, (value) => (typeof value === "number" ? fresh(example) : value)),
          ),
          takesFor(
            `${at} may be a boolean`,
            ofMember(member, (value) => (typeof value === "boolean" ? fresh(example) : value)),
          ),
          takesFor(
            `${at} may be a list`,
            ofMember(member, (value) => (Array.isArray(value) ? fresh(example) : value)),
          ),
          takesFor(
            `${at} may be an object`,
            ofMember(member, (value) => (isObject(value) ? fresh(example) : value)),
          ),
        ]),
    ...(isNumber
      ? Object.entries(numbers).map(([how, read]) =>
          takesFor(
            `${at} is read ${how}`,
            ofMember(member, (value) => {
              if (typeof value !== "string" || /^-?(0|[1-9]\d*)$/.test(value)) return value;
              const after = read(value);
              return Number.isSafeInteger(after) && after >= (schema.minimum ?? 0) && after <= (schema.maximum ?? 1e9)
                ? after
                : value;
            }),
          ),
        )
      : []),
    ...(schema.default === undefined
      ? []
      : [
          takesFor(
            `${at} has another default`,
            of(operation, (request) =>
              request.method === "GET" && absent(inputOf(request, name))
                ? withInput(request, name, Number(schema.default) - 1)
                : request,
            ),
          ),
          takesFor(
            `${at} has a larger default`,
            of(operation, (request) =>
              request.method === "GET" && absent(inputOf(request, name))
                ? withInput(request, name, Number(schema.default) + 1)
                : request,
            ),
          ),
        ]),
    ...(schema.pattern || schema.format
      ? [
          takesFor(
            `${at} may have any form`,
            ofMember(member, (value) =>
              typeof value === "string" && !isForm(schema, value) ? (inQuery ? undefined : fresh(example)) : value,
            ),
          ),
          ...(inQuery
            ? []
            : [
                takesFor(
                  `${at} is lowered`,
                  ofMember(member, (value) => (typeof value === "string" ? value.toLowerCase() : value)),
                  ["body", "state", "status"],
                ),
              ]),
        ]
      : []),
  ];
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
  "as its default": () => Number.NaN,
};

/** Whatever the schema says of the form, as far as a mutant has to know it. */
function isForm({ pattern, format }: Schema, value: string): boolean {
  if (format === "email") return /^[^@\s]+@[^@\s.]+\.[^@\s]+$/.test(value);
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}

let made = 0;
/** An example's value; an e-mail address that nobody has. */
export function fresh(example: unknown): unknown {
  made += 1;
  return typeof example === "string" ? example.replace("@", `+${process.pid}-${made}@`) : example;
}

const known = (operation: Known, name: string) => ["@", KEY, PLATFORM, ...Object.keys(operation.input)].includes(name);

/** What nobody asked for, passed over; and several of what there may be one of. */
const strangers = every.flatMap((operation): Mutant[] => {
  const firstOf = (choose: (all: string[]) => string | undefined): Repair =>
    of(operation, (request) =>
      withQuery(request, (query) => {
        for (const name of Object.keys(operation.input)) {
          const all = query.getAll(name);
          if (all.length > 1) query.set(name, choose(all) ?? "");
        }
      }),
    );
  return [
    takesFor(
      `${operation.id} passes over unknown parameters`,
      of(operation, (request) =>
        withQuery(request, (query) => {
          for (const name of [...query.keys()]) if (!known(operation, name)) query.delete(name);
        }),
      ),
    ),
    takesFor(
      `${operation.id} passes over parameters in another case`,
      of(operation, (request) =>
        withQuery(request, (query) => {
          for (const name of [...query.keys()]) {
            if (!known(operation, name) && known(operation, name.toLowerCase())) query.delete(name);
          }
        }),
      ),
    ),
    takesFor(
      `${operation.id} takes the first of several values`,
      firstOf((all) => all[0]),
    ),
    takesFor(
      `${operation.id} takes the last of several values`,
      firstOf((all) => all.at(-1)),
    ),
    ...(operation.method === "POST"
      ? [
          takesFor(
            `${operation.id} passes over unknown members`,
            of(operation, (request) =>
              withJsonBody(request, ({ "@": name, data }) => ({
                "@": name,
                data: isObject(data) ? pick(data, operation) : data,
              })),
            ),
          ),
          takesFor(
            `${operation.id} passes over members beside data`,
            of(operation, (request) =>
              withJsonBody(request, ({ "@": name, data }) => ({ "@": name, ...(data === undefined ? {} : { data }) })),
            ),
          ),
          takesFor(
            `${operation.id} passes over unknown members of data`,
            of(operation, (request) =>
              withJsonBody(request, (body) =>
                isObject(body.data) ? { ...body, data: pick(body.data, operation) } : body,
              ),
            ),
          ),
          takesFor(
            `${operation.id} reads its input beside data`,
            of(operation, (request) => {
              const { "@": name, data, ...rest } = jsonBody(request) ?? {};
              return data === undefined && Object.keys(operation.input).some((member) => member in rest)
                ? withJsonBody(request, () => ({ "@": name, data: rest }))
                : request;
            }),
          ),
          takesFor(
            `${operation.id} reads its input in the query`,
            of(operation, (request) => {
              const found = [...queryOf(request)].filter(([name]) => name in operation.input);
              if (!isPost(request) || found.length === 0) return request;
              const bare = withQuery(request, (query) => {
                for (const [name] of found) query.delete(name);
              });
              return withJsonBody(bare, (body) => ({
                ...body,
                data: { ...Object.fromEntries(found), ...Object(body.data) },
              }));
            }),
          ),
          takesFor(
            `${operation.id} passes over parameters of the query`,
            of(operation, (request) =>
              isPost(request)
                ? withQuery(request, (query) => {
                    for (const name of [...query.keys()]) if (name in operation.input) query.delete(name);
                  })
                : request,
            ),
          ),
        ]
      : []),
  ];
});

const pick = (data: Record<string, unknown>, { input }: Known) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name in input));

export const inputMutants: readonly Mutant[] = [...members.flatMap(bounds), ...members.flatMap(types), ...strangers];
