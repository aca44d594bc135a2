import { order } from "../../../generated/order.ts";
import { commands, type Known, nameOf, queries } from "../../client/operation.ts";
import { answersOtherwise, changesAnswer, type Mutant, type Selector, takesFor } from "../mutant.ts";
import { atPointer } from "../operators.ts";
import { header, queryOf } from "../proxy/look.ts";
import type { Context, ProxyRequest } from "../proxy/message.ts";
import { letIn } from "../proxy/shape.ts";
import { called, inputOf, isPost, withInput } from "../requests.ts";
import { answerSchema, inputSchemas, isFree, nodes } from "../schemas.ts";
import { parsed, problemOf, quickCodes, successOf } from "../selectors.ts";

/** Broken effects of commands: what is refused is carried out, what is stored is another text than was sent. */

/** An address in what was sent, by which the suite knows its users again. */
const address = (request: ProxyRequest) =>
  /[\w.+-]+@[\w.]+\w/.exec(`${request.body} ${queryOf(request).get("email") ?? ""}`)?.[0];

/** The command, with what of its input can be found and its example for the rest. */
function carriedOut(command: Known, request: ProxyRequest, context: Context): ProxyRequest {
  const body = JSON.stringify({ "@": nameOf(command), data: { ...command.example, email: address(request) } });
  const headers = [
    ["Host", header(request, "Host") ?? ""],
    ["Content-Type", "application/json"],
  ] as const;
  return letIn({ ...request, method: "POST", target: "/api/", headers, body: Buffer.from(body) }, context);
}

const carriesOut = ({ name, takes }: Selector) =>
  commands.map((command) => {
    const wide: Selector["takes"] = (answer, request) =>
      request !== null && takes(answer, request) && address(request) !== undefined;
    return answersOtherwise(
      { name, takes: wide },
      `and carries out ${command.id}`,
      ["state"],
      async (answer, request, context) => {
        await context.forward(carriedOut(command, request, context));
        return answer;
      },
    );
  });
const refusedBy = (method: string): Selector => ({
  name: `refuses ${method}`,
  takes: ({ status }, request) => status >= 400 && request?.method === method,
});
const readOnly = queries.map(
  ({ id }): Selector => ({
    name: `answers ${id}`,
    takes: (_, request) => request !== null && !isPost(request) && called(request)?.id === id,
  }),
);

/** What becomes of a text that is stored. */
const kept: Readonly<Record<string, (text: string) => string>> = {
  "in normal form C": (text) => text.normalize("NFC"),
  "in normal form D": (text) => [...text.normalize("NFD")].slice(0, 200).join(""),
  "with markup escaped": (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  "with escapes decoded": (text) => text.replace(/%41/g, "A"),
  "without tags": (text) => text.replace(/<[^>]*>/g, ""),
  "with quotes doubled": (text) => text.replaceAll("'", "''").slice(0, 200),
  "with one blank for several": (text) => text.replace(/\s+/g, " "),
  "without what is invisible": (text) => text.replace(/\u00ad|[\u200b-\u200f]|\ufe0f|\ufeff/g, "").trim(),
  "without signs beyond the BMP": (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, "?"),
  "as the number that it spells": (text) => (/^\d+$/.test(text) ? `${Number(text)}` : text),
  "as a hyphen where it spells nothing": (text) => (text === "null" ? "-" : text),
  "cut at 64": (text) => [...text].slice(0, 64).join("").trim(),
  "with a capital letter": (text) => text.replace(/^./u, (letter) => letter.toUpperCase()),
};
/** The same of one that has a form, where most of this leaves none. */
const cased: typeof kept = {
  "in small letters": (text) => text.toLowerCase(),
  "with its end in small letters": (text) => text.replace(/@.*/, (end) => end.toLowerCase()),
};

/** Whether a query lists what a command creates: the same kind of thing, with the member. */
const lists = (query: Known, command: Known, member: string) =>
  query.id.split(".")[0] === command.id.split(".")[0] &&
  nodes(answerSchema(query.id, 200) ?? {}).some(({ pointer }) => pointer === `/items/*/${member}`);

const texts = commands.flatMap((command) =>
  Object.entries(inputSchemas(command.id)).flatMap(([member, { type, pattern }]) =>
    type === "string"
      ? Object.entries(isFree(pattern) ? kept : cased).flatMap(([how, change]) => [
          takesFor(
            `${command.id} stores ${member} ${how}`,
            (request) => {
              const text = called(request)?.id === command.id ? inputOf(request, member) : undefined;
              return typeof text !== "string" || change(text) === text
                ? request
                : withInput(request, member, change(text));
            },
            ["body", "state", "status"],
          ),
          ...queries
            .filter((query) => lists(query, command, member))
            .map((query) =>
              changesAnswer(
                successOf(query, 200),
                atPointer(`shows ${how}`, `/items/*/${member}`, (text) => change(String(text)), ["body", "state"]),
              ),
            ),
        ])
      : [],
  ),
);

/** What the handler refuses cannot be carried out. */
const ofHandler: readonly string[] = order.find(({ step }) => step === "handle")?.refuses ?? [];

export const mutants: readonly Mutant[] = [
  ...quickCodes
    // Nobody sends a command that is right to another path, or in a head that nobody can read.
    .filter((code) => ![...ofHandler, ...parsed, "path-not-found"].includes(code) || code === "content-too-large")
    .map(problemOf)
    .flatMap(carriesOut),
  ...["PUT", "PATCH", "DELETE", "HEAD"].map(refusedBy).flatMap(carriesOut),
  ...readOnly.flatMap(carriesOut),
  ...texts,
];
