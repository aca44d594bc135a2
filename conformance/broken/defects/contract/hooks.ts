import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { isObject, type JsonObject, pathOf, textOf } from "../../look.ts";
import { withBody, withJson } from "../../shape.ts";

/** Words for the defects of the published contract. */

type AnswerChange = NonNullable<Defect["answer"]>;

export const FILES = ["openapi.json", "openapi.yaml", "openapi.operations.json", "openapi.operations.yaml"] as const;
export type File = (typeof FILES)[number];

export const WIRE = "openapi.json";
export const OPERATIONS = "openapi.operations.json";

/** The file, as the variants of checks name it. */
export const variant = (file: File): string => file.slice("openapi.".length).replace(".", "-");

/** Which file a request is for; a deployment may have a path prefix. */
export const fileOf = (request: ProxyRequest): File | null =>
  FILES.find((file) => pathOf(request).endsWith(`/${file}`)) ?? null;

/** Changes every answer at the path of one of these files. */
export const fileAnswer = (files: readonly File[], change: AnswerChange): Required<Pick<Defect, "answer">> => ({
  answer: (answer, request, context) => {
    const file = fileOf(request);
    return file && files.includes(file) ? change(answer, request, context) : answer;
  },
});

const withContent =
  (change: (answer: ProxyAnswer) => ProxyAnswer): AnswerChange =>
  (answer, request) =>
    answer.status === 200 && request.method === "GET" ? change(answer) : answer;

export const document = (file: File, change: (json: JsonObject) => unknown) =>
  fileAnswer(
    [file],
    withContent((answer) => withJson(answer, change)),
  );

export const text = (files: readonly File[], change: (text: string) => string) =>
  fileAnswer(
    files,
    withContent((answer) => withBody(answer, change(textOf(answer)))),
  );

export const member = (json: JsonObject, name: string): JsonObject => {
  const value = json[name];
  return isObject(value) ? value : {};
};

/** The object with another member at the end of a path. */
export function changed(
  json: JsonObject,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): JsonObject {
  if (name === undefined) return json;
  return { ...json, [name]: rest.length === 0 ? change(json[name]) : changed(member(json, name), rest, change) };
}

export function without(json: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([each]) => each !== name));
}
