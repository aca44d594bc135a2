import type { Defect } from "../../defect.ts";
import { queryOf } from "../../look.ts";
import { respond, withQuery } from "../../shape.ts";
import { problemsWith, requestOf } from "../../when.ts";
import { both, defect } from "./words.ts";

const nearMisses = both("user.list/invalid-cursor#near-misses");
const every = ["user.list/invalid-cursor#made-up", ...nearMisses];

export const cursorDefects: readonly Defect[] = [
  defect("cursor-ignored", "Starts anew at a cursor that it does not know.", every, /400/, {
    answer: problemsWith("invalid-cursor", (_, request, { forward }) =>
      forward(withQuery(request, (query) => query.delete("cursor"))),
    ),
  }),
  defect("cursor-fails", "Fails with 500 at a bad cursor.", every, /400/, {
    answer: problemsWith("invalid-cursor", (answer) => ({ ...answer, status: 500 })),
  }),
  defect("cursor-is-422", "Refuses a bad cursor with 422.", every, /400/, {
    answer: problemsWith("invalid-cursor", (answer) => ({ ...answer, status: 422 })),
  }),
  defect("cursor-past-the-end", "Takes a bad cursor for the end of the list.", every, /400/, {
    answer: problemsWith("invalid-cursor", () => respond(200, { items: [] })),
  }),
  defect("cursor-empty", "Takes an empty cursor for none.", ["user.list/invalid-cursor#made-up"], /400/, {
    request: requestOf("user.list", (request) =>
      withQuery(request, (query) => (query.get("cursor") === "" ? query.delete("cursor") : undefined)),
    ),
  }),
  defect("cursor-number", "Takes a number for a cursor.", ["user.list/invalid-cursor#made-up"], /400/, {
    answer: problemsWith("invalid-cursor", (answer, request) =>
      /^\d+$/.test(queryOf(request).get("cursor") ?? "") ? respond(200, { items: [] }) : answer,
    ),
  }),
  defect("cursor-json", "Takes any cursor that holds JSON.", every, /400/, {
    answer: problemsWith("invalid-cursor", (answer, request) =>
      Buffer.from(queryOf(request).get("cursor") ?? "", "base64")
        .toString()
        .startsWith("{")
        ? respond(200, { items: [] })
        : answer,
    ),
  }),
  defect("cursor-id", "Takes the id of a user for a cursor.", nearMisses, /400/, {
    answer: problemsWith("invalid-cursor", (answer, request) =>
      /^[\da-f-]{36}$/i.test(queryOf(request).get("cursor") ?? "") ? respond(200, { items: [] }) : answer,
    ),
  }),
  defect("cursor-trimmed", "Trims a cursor.", nearMisses, /400/, {
    request: requestOf("user.list", (request) =>
      withQuery(request, (query) =>
        query.has("cursor") ? query.set("cursor", query.get("cursor")?.trim() ?? "") : undefined,
      ),
    ),
  }),
  defect("cursor-padded", "Takes a cursor in any spelling of base64.", nearMisses, /400/, {
    request: requestOf("user.list", (request) =>
      withQuery(request, (query) => {
        const bytes = Buffer.from(query.get("cursor") ?? "", "base64url");
        if (bytes.length === 20) query.set("cursor", bytes.toString("base64url"));
      }),
    ),
  }),
  defect("cursor-unchecked", "Takes any cursor of the right length.", nearMisses, /400/, {
    answer: problemsWith("invalid-cursor", (answer, request) =>
      /^[\w-]{27}$/.test(queryOf(request).get("cursor") ?? "") ? respond(200, { items: [] }) : answer,
    ),
  }),
  defect("cursor-undecoded", "Reads a cursor without decoding it.", ["user.list/invalid-cursor#still-valid"], /200/, {
    request: requestOf("user.list", (request) =>
      /[?&]cursor=%/.test(request.target) ? withQuery(request, (query) => query.set("cursor", "%")) : request,
    ),
  }),
];
