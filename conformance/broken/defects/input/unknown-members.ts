import type { Defect } from "../../defect.ts";
import { isObject, type JsonObject, jsonBody } from "../../look.ts";
import { withData, withJson, withJsonBody } from "../../shape.ts";
import { problemsWith, requestOf } from "../../when.ts";
import { checksOf, commands, dropping } from "./words.ts";

const area = "unknown input";
const PROTOTYPE = /^(?:constructor|toString|valueOf|hasOwnProperty|__proto__|__defineGetter__|prototype)$/;
const MEMBERS = ["name", "email"];
const ENVELOPE = ["@", "data"];

const members = { area, requirements: ["input/unknown-member"], reason: /422/ };

const inData = "input/unknown-member#user.create-in-data";
const beside = "input/unknown-member#user.create-beside-data";
const unnamed = "input/unknown-not-named#user.create";

const without = (known: readonly string[], test: (name: string, value: unknown) => boolean) => (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => known.includes(name) || !test(name, value)));

const everywhere = (test: (name: string, value: unknown) => boolean) =>
  requestOf("user.create", (request) =>
    withData(withJsonBody(request, without(ENVELOPE, test)), without(MEMBERS, test)),
  );

/** Changes the faults of an unknown member; `name` is one that is unknown there. */
const ofUnknown = (change: (fault: JsonObject, name: string) => JsonObject): NonNullable<Defect["answer"]> =>
  problemsWith("invalid-input", (answer, request) =>
    withJson(answer, (json) => {
      const body = jsonBody(request) ?? {};
      const data = isObject(body.data) ? body.data : {};
      const strangers: Readonly<Record<string, string | undefined>> = {
        "#": Object.keys(body).find((name) => !ENVELOPE.includes(name)),
        "#/data": Object.keys(data).find((name) => !MEMBERS.includes(name)),
      };
      const faults = Array.isArray(json.errors) ? json.errors.filter(isObject) : [];
      return {
        ...json,
        errors: faults.map((fault) => {
          const name = strangers[String(fault.pointer)];
          return name === undefined ? fault : change(fault, name);
        }),
      };
    }),
  );

export const unknownMemberDefects: readonly Defect[] = [
  {
    ...members,
    id: "input/members-of-any-operation",
    description: "Knows the members of every operation everywhere.",
    requirements: ["input/unknown-member", "input/post-query"],
    catches: [inData, beside, ...checksOf("input/post-query", commands)],
    request: (request, context) => {
      const known = (name: string) => name === "limit" || name === "cursor";
      const changed = everywhere(known)(request, context);
      return "method" in changed && changed.method === "POST" ? dropping(known)(changed) : changed;
    },
  },
  {
    ...members,
    id: "input/unknown-members-ignored",
    description: "Ignores members that it does not know.",
    requirements: ["input/unknown-member", "input/unknown-not-named"],
    catches: [inData, beside, unnamed],
    request: everywhere(() => true),
  },
  {
    ...members,
    id: "input/unknown-in-data-ignored",
    description: "Ignores unknown members of data.",
    catches: [inData],
    request: (request) =>
      withData(
        request,
        without(MEMBERS, () => true),
      ),
  },
  {
    ...members,
    id: "input/unknown-beside-data-ignored",
    description: "Ignores what stands beside @ and data.",
    catches: [beside],
    request: (request) =>
      withJsonBody(
        request,
        without(ENVELOPE, () => true),
      ),
  },
  {
    ...members,
    id: "input/prototype-members",
    description: "Finds members such as `constructor` in every schema.",
    catches: [inData, beside],
    request: everywhere((name) => PROTOTYPE.test(name)),
  },
  {
    ...members,
    id: "input/unknown-null-ignored",
    description: "Takes an unknown member that is null for an absent one.",
    catches: [inData, beside],
    request: everywhere((_name, value) => value === null),
  },
  {
    ...members,
    id: "input/id-settable",
    description: "Takes `id` and `createdAt` from the caller, and ignores them.",
    catches: [inData],
    request: everywhere((name) => name === "id" || name === "createdAt"),
  },
  {
    ...members,
    id: "input/members-in-any-case",
    description: "Knows its members in any letter case.",
    catches: [inData],
    request: (request) =>
      withData(request, (data) => {
        const lower = Object.entries(data).map(([name, value]) => [name.toLowerCase(), value] as const);
        return { ...Object.fromEntries(lower), ...without([], (name) => !MEMBERS.includes(name))(data) };
      }),
  },
  {
    area,
    id: "input/unknown-named",
    description: "Puts the name of an unknown member into its pointer.",
    requirements: ["input/unknown-not-named", "errors/no-echo"],
    catches: [unnamed, "errors/no-echo#members"],
    reason: /names|nothing of/,
    answer: ofUnknown((fault, name) => ({ ...fault, pointer: `${fault.pointer}/${name}` })),
  },
  {
    area,
    id: "input/unknown-named-in-detail",
    description: "Names an unknown member in the detail.",
    requirements: ["input/unknown-not-named", "errors/no-echo"],
    catches: [unnamed, "errors/no-echo#members"],
    reason: /nothing of/,
    answer: ofUnknown((fault, name) => ({ ...fault, detail: `${fault.detail}; ${name} is not` })),
  },
  {
    area,
    id: "input/allowed-not-named",
    description: "Does not say which members are allowed.",
    requirements: ["input/unknown-not-named"],
    catches: [unnamed],
    reason: /a fault at .* that names/,
    answer: ofUnknown((fault) => ({ ...fault, detail: "has members that are not known" })),
  },
];
