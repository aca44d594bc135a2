import { isErrorModel, type Program } from "@typespec/compiler";
import { getAllHttpServices } from "@typespec/http";
import * as library from "../library.js";
import { type Document, type Media, type Parameter, PROBLEM } from "./openapi.ts";

/** Writes the examples that the spec has by its models alone into the operations of a document. */
export function completeExamples(program: Program, document: Document): void {
  const [{ operations } = { operations: [] }] = getAllHttpServices(program)[0];
  for (const stated of library.operationsOf(program)) {
    const written = document.paths[stated.path]?.[stated.verb === "get" ? "get" : "post"];
    if (!written) continue;
    const input = library.exampleOf(program, stated);
    for (const parameter of written.parameters)
      if (Object.hasOwn(input, parameter.name ?? "")) put(parameter, input[parameter.name]);
    const sent = written.requestBody?.content["application/json"];
    if (sent) put(sent, { "@": stated.id, data: input });
    const http = operations.find(({ operation }) => operation === stated.type);
    for (const { type, statusCodes, responses } of http?.responses ?? [])
      for (const { body } of isErrorModel(program, type) ? [] : responses)
        for (const mediaType of body?.contentTypes ?? []) {
          const media = written.responses[String(statusCodes)]?.content?.[mediaType];
          if (body && media && mediaType !== PROBLEM)
            put(media, library.sampleOf(program, body.type));
        }
  }
}

function put(holder: Media | Parameter, example: unknown): void {
  if (holder.examples === undefined && example !== undefined) holder.example ??= example;
}
