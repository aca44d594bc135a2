import { hostname } from "node:os";
import { operations } from "../../../generated/operations.ts";
import { answersOtherwise, changesAnswer, type Mutant, takesFor } from "../mutant.ts";
import { adds, atPointer, drops } from "../operators.ts";
import { header, jsonAnswer, pathOf, textOf } from "../proxy/look.ts";
import { withBody, withHeader, withJson, withoutHeader } from "../proxy/shape.ts";
import { answerSchema, resolved } from "../schemas.ts";
import { landing, successOf } from "../selectors.ts";

/** Broken information of the system: what `sysinfo` says, what the landing page shows of it, and `test.health`. */

const page = landing("text/html");
const json = landing("application/json");
const sysinfo = successOf(operations.sysinfo, 200);
const health = successOf(operations["test.health"], 200);

/** What may stand on the page instead: nothing, or something like it. */
const others: Readonly<Record<string, readonly string[]>> = {
  status: ["", "operational"],
  version: ["", "30.0.3"],
  server: ["nginx"],
  runtime: ["", "Node.js", "Node.js 4.0.0"],
  clientAddress: ["", "0.0.0.0", "192.0.2.1"],
  requestMethod: ["", "POST"],
};
const facts = Object.entries(others).flatMap(([name, texts]) =>
  texts.map((text) =>
    answersOtherwise(page, `says "${text}" for ${name}`, ["body"], async (answer, request, { forward }) => {
      const target = request.target.replace(/\/(\?.*)?$/, "/api/?@=sysinfo");
      const value = jsonAnswer(await forward({ ...withoutHeader(request, "Accept"), target }))?.[name];
      return withBody(
        answer,
        textOf(answer).replaceAll(`>${value}<`, () => `>${text}<`),
      );
    }),
  ),
);

const members = Object.keys(resolved(answerSchema("sysinfo", 200) ?? {}).properties ?? {});
const anotherOf = (name: string) => (value: unknown) => others[name]?.at(-1) ?? `1${String(value).slice(1)}`;
const asJson = [
  adds(""),
  ...members.flatMap((name) => [drops(`/${name}`), atPointer("has another", `/${name}`, anotherOf(name))]),
].map((operator) => changesAnswer(json, operator));

/** An Accept of the landing page, read as another. */
const accepts = (how: string, read: (accept: string) => string) =>
  takesFor(
    `the landing page ${how}`,
    (request) => {
      const [accept, target] = [header(request, "Accept") ?? "", pathOf(request)];
      return target !== "/" || read(accept) === accept ? request : withHeader(request, "Accept", read(accept));
    },
    ["header:content-type", "status", "body"],
  );

/** What only the inside of a machine knows, behind what `sysinfo` says. */
const telling = [
  ...["(linux x64)", "on Windows", "/srv/dist", "C:\\atpoint", "PostgreSQL 16", "at 4f2a9c0d1e7b", "web-1.internal"],
  ...["NODE_ENV=production", `of ${hostname()}.local`],
].map((text) =>
  changesAnswer(
    sysinfo,
    atPointer(`tells ${text} in`, "/server", (value) => `${value} ${text}`),
  ),
);

const timed = (what: string, write: (time: number) => string) =>
  changesAnswer(
    sysinfo,
    atPointer(`is ${what} in`, "/time", (time) => write(Date.parse(String(time)))),
  );
/** Says what a header of the request says. */
const believes = (member: string, field: string) =>
  answersOtherwise(sysinfo, `believes ${field}`, [`body:/${member}`], (answer, request) =>
    withJson(answer, (said) => ({ ...said, [member]: header(request, field) ?? said[member] })),
  );

export const mutants: readonly Mutant[] = [
  ...facts,
  ...asJson,
  accepts("is JSON by default", (accept) => (accept === "" || accept === "*/*" ? "application/json" : accept)),
  accepts("is JSON where JSON is named", (accept) => (accept.includes("json") ? "application/json" : accept)),
  accepts("is HTML always", () => "text/html"),
  answersOtherwise(page, "shows the target as sent", ["body"], (answer, { target }) =>
    withBody(
      answer,
      textOf(answer).replace("</main>", () => `${target}</main>`),
    ),
  ),
  ...telling,
  timed("an hour ahead", (time) => new Date(time + 3_600_000).toISOString()),
  timed("half a minute behind", (time) => new Date(time - 30_000).toISOString()),
  timed("with an offset", (time) => new Date(time).toISOString().replace("Z", "+00:00")),
  ...["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"].map((field) => believes("requestMethod", field)),
  changesAnswer(
    sysinfo,
    atPointer("has no version in", "/runtime", (value) => String(value).replace(/[\d.]+/g, "")),
  ),
  changesAnswer(
    sysinfo,
    atPointer("is blank in", "/server", () => " "),
  ),
  answersOtherwise(health, "has an ETag, and knows it", ["status"], (answer, request) =>
    ['"health"', "*"].includes(header(request, "If-None-Match") ?? "")
      ? { ...withBody(answer, ""), status: 304 }
      : withHeader(answer, "ETag", '"health"'),
  ),
  answersOtherwise(health, "is not modified since", ["status"], (answer, request) =>
    header(request, "If-Modified-Since") === null ? answer : { ...withBody(answer, ""), status: 304 },
  ),
];
