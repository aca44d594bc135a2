import { readFileSync } from "node:fs";
import path from "node:path";
import type { Probe } from "./probes.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The by-operation document: far stricter than the one of the wire, where every response of `/api/` may be any operation's. */
export const contractFile = path.resolve(import.meta.dirname, "../../../generated/openapi.operations.json");

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const document: unknown = JSON.parse(readFileSync(contractFile, "utf8"));

/** The value at a JSON pointer's steps; references on the way are followed. */
function at(...steps: readonly string[]): Json {
  let place: unknown = document;
  for (const step of steps) {
    place = isObject(place) ? place[step] : undefined;
    if (isObject(place) && typeof place.$ref === "string") place = at(...place.$ref.slice("#/".length).split("/"));
  }
  return isObject(place) ? place : {};
}

export const components: Json = at("components");

/** The place of an operation in the document. */
export const placeOf = ({ operation }: Pick<Probe, "operation">): readonly [path: string, method: "get" | "post"] => [
  `/api/${operation}/../`,
  operation === "user.create" ? "post" : "get",
];

/** All documented responses of an operation, by status, without references at their top. */
export function responsesOf(probe: Probe): Record<string, Json> {
  const steps = ["paths", ...placeOf(probe), "responses"];
  return Object.fromEntries(Object.keys(at(...steps)).map((status) => [status, at(...steps, status)]));
}

/** The schema of the response that a probe expects; it refers to `#/components`. */
export const schemaOf = (probe: Probe): Json =>
  at("paths", ...placeOf(probe), "responses", String(probe.status), "content", probe.mediaType, "schema");

/** Names of the headers that the response must have by the document. */
export function requiredHeadersOf(probe: Probe): string[] {
  const headers = at("paths", ...placeOf(probe), "responses", String(probe.status), "headers");
  // An unknown name belongs to no operation, so `X-Operation` is not required there.
  return Object.entries(headers).flatMap(([name, header]) =>
    isObject(header) && header.required === true && !(probe.undocumented && name === "X-Operation") ? [name] : [],
  );
}
