import { credentialFields, JSON_TYPE } from "../../checks/probe.ts";
import { nameOf, queryOf } from "../../client/operation.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { wordOf } from "../../client/word.ts";
import { type Operation, requirementOf, resolve, type Schema } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import { type Asking, type Case, inTurn, type List, varied } from "../list.ts";
import { BLANKS, boundsOf, EACH_TYPE, NUMBERS, spellingsOf, strangersTo, textsOf } from "./values.ts";

/** The input of an operation, around its schema (D7, D8): requests generated from the spec alone. */

const encoded = (text: string) =>
  encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"),
  ).replaceAll("'", "%27");

/** A member of an input. */
interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly good: unknown;
}

/** The state shared by all cases of one operation. */
interface Target {
  readonly asking: Asking;
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly members: readonly Member[];
  /** A call with this body, or this query, and valid credentials. */
  readonly body: (body: unknown, rawQuery?: string) => Request;
  readonly query: (rawQuery: string) => Request;
}

function targetOf(asking: Asking, operation: Operation): Target {
  const { contract } = asking.oracle;
  const { properties = {}, required = [] } = resolve(contract, operation.schema);
  const input = asking.input(operation);
  const members = Object.entries(properties)
    .filter(([name]) => !operation.parts.includes(name))
    .map(([name, schema]) => ({
      ...{ name, schema: resolve(contract, schema), required: required.includes(name), good: input[name] },
    }));
  const fields = operation.auth ? credentialFields(asking.api) : [];
  return {
    ...{ asking, operation, input, members },
    body: (body, rawQuery = "") =>
      wireOfLiteral(asking.api, {
        ...{ method: "POST", target: `/api/${rawQuery === "" ? "" : `?${rawQuery}`}`, headers: [...fields, JSON_TYPE] },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    query: (rawQuery) => wireOfLiteral(asking.api, { method: "GET", target: `/api/?${rawQuery}`, headers: fields }),
  };
}

/** The requirement of a keyword of a member. */
const ruleOf = ({ asking, operation }: Target, { name }: Member, keyword: string, general: string) =>
  requirementOf(asking.oracle.contract, operation, `${name} ${keyword}`, general);

/** The requirement that decides the rejection of a request; that of the keyword if it is accepted. */
function decided({ asking }: Target, request: Request, otherwise: string): string {
  const { by, code } = asking.oracle.predict(request, asking.model);
  return code === "invalid-input" ? by : otherwise;
}

/** A name that no operation knows: with it nothing is carried out, and other faults are still reported. */
const STRANGER = "unknown";

/** Members of `data`: every type, both sides of every bound, every class of characters. */
function* ofCommand(target: Target): Generator<Case> {
  const { operation, input, members, body } = target;
  const name = nameOf(operation, input);
  const call = (data: unknown) => body({ "@": name, data });
  for (const member of members) {
    const aimed = member.name in operation.exampleFrom;
    // A member that identifies the record gets no values that convert to another user's.
    const values = aimed ? [null, {}, [], ""] : [...EACH_TYPE, [member.good], { value: member.good }];
    for (const value of values) {
      const wrong = call({ ...input, [member.name]: value });
      const beside = call({ ...input, [member.name]: value, [STRANGER]: 1 });
      for (const one of typeof value === "string" ? [beside] : [wrong, beside]) yield ["input/wrong-type", one];
    }
    const isText = member.schema.type === "string";
    const rejects = (value: unknown) =>
      target.asking.oracle.predict(call({ ...input, [member.name]: value }), target.asking.model).code !== null;
    // Of what says which record it is about, only other spellings of that value, and none that is a right one itself.
    const spellings = isText && aimed ? spellingsOf(String(member.good)).filter(rejects) : [];
    const texts = isText && !aimed ? textsOf(member.schema, String(member.good)) : spellings;
    const numbers = ["integer", "number"].includes(member.schema.type ?? "") && !aimed ? boundsOf(member.schema) : [];
    for (const [at, value] of [...texts, ...numbers].entries()) {
      const beside = call({ ...input, [member.name]: value, [STRANGER]: 1 });
      const alone = call({ ...input, [member.name]: value });
      const of = ruleOf(
        target,
        member,
        typeof value === "string" && (value === "" || value.length > 60) ? "maxLength" : "pattern",
        "errors/invalid-input",
      );
      const requirement = decided(target, alone, of);
      const isRejected = rejects(value);
      // An accepted value only with the unknown name, so that nothing is created; a rejected one alone, and some with both faults.
      if (!isRejected || at % 4 === 0) yield [requirement, beside];
      if (isRejected) yield [requirement, alone];
    }
  }
  yield* missingOf(target, name);
  yield* unknownOf(target, name);
  yield* duplicatesOf(target, name);
}

const without = (data: Readonly<Record<string, unknown>>, name: string) =>
  Object.fromEntries(Object.entries(data).filter(([member]) => member !== name));

function* missingOf({ input, members, body }: Target, name: string): Generator<Case> {
  const of = "input/missing-member";
  const required = members.filter((member) => member.required).map((member) => member.name);
  const pairs = required.flatMap((one) =>
    required.filter((other) => other > one).map((other) => without(without(input, one), other)),
  );
  const elsewhere: readonly unknown[] = [
    {},
    { data: input },
    { input },
    { constructor: input },
    { prototype: input },
    Object.entries(input),
  ];
  const upper = Object.fromEntries(Object.entries(input).map(([member, value]) => [member.toUpperCase(), value]));
  for (const data of [...required.map((one) => without(input, one)), ...pairs, ...elsewhere, upper])
    yield [of, body({ "@": name, data })];
  for (const given of [{}, input, { Data: input }, { input }]) yield [of, body({ "@": name, ...given })];
  const asQuery = Object.entries(input)
    .map(([member, value]) => `${member}=${encoded(String(value))}`)
    .join("&");
  yield [of, body({ "@": name }, asQuery)];
  for (const data of [null, [], [input], Object.values(input), "", "x", "{}", JSON.stringify(input), 0, 1, true, false])
    yield ["input/wrong-type", body({ "@": name, data })];
}

function* unknownOf({ asking, operation, input, members, body }: Target, name: string): Generator<Case> {
  const known = members.map((member) => member.name);
  const others = Object.values(asking.oracle.contract.operations).flatMap((one) => Object.keys(one.input));
  const [aim] = Object.keys(operation.exampleFrom);
  const strange = aim === undefined ? "1" : input[aim];
  for (const stranger of strangersTo(known, others)) {
    yield ["input/unknown-member", body({ "@": name, data: { ...input, [stranger]: strange } })];
    if (stranger !== "data" && stranger !== "@")
      yield ["input/unknown-member", body({ "@": name, data: input, [stranger]: strange })];
    if (stranger !== "@") yield ["input/post-query", body({ "@": name, data: input }, `${encoded(stranger)}=1`)];
  }
  for (const value of [null, {}, [], false, ""]) {
    yield ["input/unknown-member", body({ "@": name, data: { ...input, [STRANGER]: value } })];
    yield ["input/unknown-member", body({ [STRANGER]: value, "@": name, data: input })];
  }
  for (const member of known) {
    yield ["input/unknown-member", body({ "@": name, data: input, [member]: input[member] })];
    yield [
      "input/post-query",
      body({ "@": name, data: input }, `${encoded(member)}=${encoded(String(input[member]))}`),
    ];
  }
  for (const one of [STRANGER, `${STRANGER}=`, `data=${encoded(JSON.stringify(input))}`])
    yield ["input/post-query", body({ "@": name, data: input }, one)];
  const own = wordOf(asking.api);
  for (const stranger of [own, `${own}/a~b`, `${own} \u00e9`, "constructor", "hasOwnProperty"]) {
    yield ["input/unknown-not-named", body({ "@": name, data: { ...input, [stranger]: 1 } })];
    yield ["input/unknown-not-named", body({ "@": name, data: input, [stranger]: 1 })];
  }
  // A value that no response may repeat.
  for (const of of ["input/unknown-not-named", "input/post-query"])
    yield [of, body({ "@": name, data: input }, `${STRANGER}=${own}`)];
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`unknown${at}`, "1"]));
  const query = Object.keys(many)
    .map((one) => `${one}=1`)
    .join("&");
  const wrong = Object.fromEntries(known.map((member) => [member, []]));
  for (const of of ["errors/invalid-input", "errors/at-most-20", "errors/all-faults", "errors/pointer"]) {
    yield [of, body({ "@": name, data: { ...many, ...wrong }, ...many }, query)];
    yield [of, body({ "@": name, data: { ...wrong, [STRANGER]: 1 }, [STRANGER]: 1 })];
    yield [of, body({ "@": name, data: wrong }, `${STRANGER}=1`)];
    for (const member of known) yield [of, body({ "@": name, data: { ...without(wrong, member) } })];
  }
}

/** Of duplicate members the last one counts and is checked. */
function* duplicatesOf({ input, members, body }: Target, name: string): Generator<Case> {
  const of = "input/last-duplicate";
  const [head, data] = [`"@":${JSON.stringify(name)}`, JSON.stringify(input)];
  const inner = data.slice(1, -1);
  for (const { name: member } of members) {
    const spelled = `\\u${member.charCodeAt(0).toString(16).padStart(4, "0")}${member.slice(1)}`;
    for (const wrong of ["[]", "null"]) {
      yield [of, body(`{${head},"data":{${inner},"${member}":${wrong}}}`)];
      yield [of, body(`{${head},"data":{${inner},"${spelled}":${wrong}}}`)];
      // In reverse order the input is valid: only the unknown name keeps it from being carried out.
      yield [of, body(`{${head},"data":{"${member}":${wrong},"${spelled}":${wrong},${inner},"${STRANGER}":1}}`)];
    }
  }
  for (const last of ['"data":{}', '"data":null', '"d\\u0061ta":[]'])
    yield [of, body(`{${head},"data":${data},${last}}`)];
  for (const last of ['"no.such"', '""', "1"]) yield [of, body(`{${head},"data":${data},"@":${last}}`)];
  yield [of, body(`{"data":${data},"@":1,${head},"data":1}`)];
  yield [of, body(`{"@":"no.such",${head},"data":[],"data":{}}`)];
}

/** Parameters of a query: spellings of numbers, both sides of every bound, unknown names. */
function* ofQuery(target: Target): Generator<Case> {
  const { asking, operation, input, members, query } = target;
  const [aim] = Object.keys(operation.exampleFrom);
  for (const member of members) {
    const rest = queryOf(operation, without(input, member.name));
    const call = (text: string) => query(`${rest}&${encoded(member.name)}=${text}`);
    const empty = ruleOf(target, member, "type", "input/empty-is-not-absent");
    for (const request of [call(""), query(`${rest}&${encoded(member.name)}`)]) {
      yield ["input/empty-is-not-absent", request];
      yield [decided(target, request, empty), request];
    }
    const isText = (member.schema.type ?? "string") === "string" || member.schema.type === "array";
    const texts =
      isText && member.schema.pattern !== undefined
        ? textsOf(member.schema, String(member.good ?? "x")).map(encoded)
        : [];
    const bounds = boundsOf(member.schema).map(String);
    // A cursor is opaque: the list of its operation covers its values.
    for (const text of member.name === "cursor" ? [] : [...bounds, ...texts, ...(isText ? [] : NUMBERS)]) {
      const request = call(text);
      const of = ruleOf(target, member, bounds.includes(text) ? "maximum" : "type", "input/integers");
      yield [decided(target, request, of), request];
      if (NUMBERS.includes(text) && member.schema.type === "integer") yield ["input/integers", request];
    }
    if (member.schema.type === "integer" || member.schema.type === "number")
      for (const text of ["", "x", "-1", "1.5", "01", ...BLANKS.slice(0, 2).map((blank) => encoded(`${blank}1`))])
        yield ["errors/parameter", call(text)];
  }
  const known = members.map((member) => member.name);
  const others = Object.values(asking.oracle.contract.operations).flatMap((one) => Object.keys(one.input));
  const base = queryOf(operation, input);
  for (const stranger of strangersTo(known, [...others, ...operation.parts, "data"]))
    if (stranger !== "@")
      yield [
        "input/unknown-parameter",
        query(`${base}&${encoded(stranger)}=${aim === undefined ? "1" : encoded(String(input[aim]))}`),
      ];
  for (const one of ["unknown", "unknown=", "=1", "="]) yield ["input/unknown-parameter", query(`${base}&${one}`)];
  yield ["input/unknown-parameter", { ...query(`${base}&unknown=1`), method: "HEAD" }];
  yield ["input/unknown-parameter", asking.call(operation, { credentials: "query", query: [["unknown", "1"]] })];
  const own = wordOf(asking.api);
  for (const stranger of [own, `${own}/a~b`, `${own} \u00e9`, "constructor", "hasOwnProperty"])
    yield ["input/unknown-not-named", query(`${base}&${encoded(stranger)}=1`)];
  const many = Array.from({ length: 40 }, (_, at) => `unknown${at}=1`).join("&");
  for (const of of ["errors/invalid-input", "errors/at-most-20", "errors/all-faults"])
    yield [of, query(`${base}&${many}`)];
  for (const member of members.filter(({ schema }) => schema.type === "integer"))
    for (const one of ["x", "0"])
      yield [
        "errors/all-faults",
        query(`${queryOf(operation, without(input, member.name))}&${member.name}=${one}&unknown=1`),
      ];
}

export const input: List = function* (asking) {
  for (const operation of asking.operations) {
    const target = targetOf(asking, operation);
    // Inputs with members may be handled differently for HEAD, or with other credentials.
    if (operation.method === "POST") yield* inTurn(ofCommand(target));
    else yield* target.members.length > 0 ? varied(ofQuery(target)) : ofQuery(target);
  }
};
