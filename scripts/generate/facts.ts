import {
  type DecoratorContext,
  type DiagnosticTarget,
  getDoc,
  isErrorModel,
  isTemplateDeclaration,
  type Model,
  type ModelProperty,
  navigateProgram,
  type Operation,
  type Program,
  type Type,
} from "@typespec/compiler";
import { getAllHttpServices, isStatusCode } from "@typespec/http";
// @ts-expect-error The decorators are plain JavaScript: the TypeSpec compiler loads them as they are.
import { state } from "../../spec/decorators.js";
import { type ExampleSource, escapeRegExp, nameOf } from "./openapi.ts";

/** A requirement as the spec states it. */
export interface RequirementFacts {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  readonly origin: "given" | "decided";
  readonly clause: string;
  readonly sentence: string;
  readonly operation: string | null;
}

/** A problem code, its status, and what it means. */
export interface ProblemFacts {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly meaning: string;
  readonly example: unknown;
}

type Stated = Omit<RequirementFacts, "operation"> & { readonly node: DecoratorContext["decoratorTarget"] };

const report = (program: Program, code: string, message: string, target: DiagnosticTarget) =>
  program.reportDiagnostic({ code: `atpoint/${code}`, severity: "error", message, target });

/** A decorator's target as the compiler has it: a node of the syntax tree. */
interface SyntaxNode {
  readonly pos: number;
  readonly parent?: SyntaxNode;
  /** Of the outermost node. */
  readonly file: { readonly path: string };
}

/** Every requirement, file by file and top to bottom; an id that is used twice is reported where it is used again. */
export function readRequirements(program: Program): RequirementFacts[] {
  const stated = [...program.stateMap(state.requirements)].flatMap(([target, list]) =>
    (list as Stated[]).map((requirement) => ({ requirement, target })),
  );
  const files = [...program.sourceFiles.keys()];
  const place = ({ requirement }: (typeof stated)[number]): [file: number, position: number] => {
    const stated = requirement.node as unknown as SyntaxNode;
    let node = stated;
    while (node.parent) node = node.parent;
    return [files.indexOf(node.file.path), stated.pos];
  };
  stated.sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
  const seen = new Set<string>();
  const ids = new Map(namedOperations(program).map(({ name, operation }) => [operation, idOf(name)]));
  return stated.map(({ requirement, target }) => {
    const { id, level, origin, clause, sentence, node } = requirement;
    if (seen.has(id))
      report(program, "requirement-twice", `The requirement id "${id}" is used twice.`, node as DiagnosticTarget);
    seen.add(id);
    const operation = target.kind === "Operation" ? (ids.get(target) ?? null) : null;
    return { id, level, origin, clause, sentence, operation };
  });
}

/** Every problem code, by status; one without a status, or that is used twice, is reported at its model. */
export function readProblems(program: Program): ProblemFacts[] {
  const problems = new Map<string, ProblemFacts>();
  navigateProgram(program, {
    model(model) {
      if (!isErrorModel(program, model) || isTemplateDeclaration(model) || model.node?.kind === undefined) return;
      const body = model.properties.get("body")?.type;
      const code = literal(body?.kind === "Model" ? body.properties.get("code") : undefined);
      if (typeof code !== "string" || model.name === "Problem") return;
      const status = literal([...model.properties.values()].find((property) => isStatusCode(program, property)));
      if (typeof status !== "number")
        return report(program, "problem-without-status", `The problem "${code}" has no @statusCode.`, model);
      if (problems.has(code))
        return report(program, "problem-twice", `The problem code "${code}" is used twice.`, model);
      const meaning = getDoc(program, model);
      if (!meaning)
        return report(program, "problem-without-meaning", `The problem "${code}" has no documentation.`, model);
      const example = exampleOf(body as Model);
      problems.set(code, {
        code,
        status,
        title: String(example.title),
        detail: String(example.detail),
        meaning,
        example,
      });
    },
  });
  return [...problems.values()].sort((a, b) => a.status - b.status);
}

function literal(property: ModelProperty | undefined): string | number | undefined {
  const type: Type | undefined = property?.type;
  return type?.kind === "String" || type?.kind === "Number" ? type.value : undefined;
}

/** The `@example` of a problem document, as plain data. */
function exampleOf(model: Model): Record<string, unknown> {
  const decorator = model.decorators.find(({ definition }) => definition?.name === "@example");
  return decorator?.args[0]?.jsValue as Record<string, unknown>;
}

interface Named {
  readonly name: string;
  readonly operation: Operation;
}

function namedOperations(program: Program): Named[] {
  const [services] = getAllHttpServices(program);
  return services.flatMap(({ operations }) =>
    operations.flatMap(({ path, operation }) => {
      const name = nameOf(path);
      return name === undefined ? [] : [{ name, operation }];
    }),
  );
}

/** The id of an operation: its name without the parts of a template. */
export const idOf = (name: string): string => name.replace(/\.\{\w+\}/g, "");

/** Two operations of one name, or a name that the template of another matches, would make a request ambiguous. */
export function refuseAmbiguousNames(program: Program): void {
  const named = namedOperations(program);
  for (const [index, { name, operation }] of named.entries()) {
    for (const earlier of named.slice(0, index)) {
      if (earlier.name === name) {
        report(program, "operation-twice", `Two operations are named "${name}".`, operation);
      } else if (overlaps(earlier.name, name) || overlaps(name, earlier.name)) {
        const [template, other] = earlier.name.includes("{") ? [earlier.name, name] : [name, earlier.name];
        report(program, "operation-ambiguous", `The name "${other}" is also matched by "${template}".`, operation);
      }
    }
  }
}

/**
 * The suite calls a command with these values: each must come from the answer of another command, which the run itself has
 * sent. What a query lists is somebody's.
 */
export function refuseForeignExamples(program: Program): void {
  const commands = new Map(
    getAllHttpServices(program)[0]
      .flatMap(({ operations }) => operations)
      .filter(({ verb }) => verb === "post")
      .map(({ path, parameters }) => {
        const envelope = parameters.body?.type;
        const data = envelope?.kind === "Model" ? envelope.properties.get("data")?.type : undefined;
        return [idOf(nameOf(path) ?? ""), data?.kind === "Model" ? [...data.properties.values()] : []] as const;
      }),
  );
  for (const [id, members] of commands) {
    for (const member of members) {
      const sources: readonly ExampleSource[] = program.stateMap(state.exampleFrom).get(member) ?? [];
      for (const { operation } of sources) {
        if (commands.has(operation) && operation !== id) continue;
        const why = operation === id ? "this is the command itself" : `"${operation}" is no command`;
        const message = `"${member.name}" of "${id}" must come from the answer of another command, so that a run of the suite changes only what it has created: ${why}.`;
        report(program, "example-not-created", message, member);
      }
    }
  }
}

/** Whether a template, its parts taken as any text, matches a name. */
function overlaps(template: string, name: string): boolean {
  if (!template.includes("{")) return false;
  const source = template
    .split(/\{\w+\}/)
    .map(escapeRegExp)
    .join(".+");
  return new RegExp(`^${source}$`).test(name.replaceAll(/\{\w+\}/g, "x"));
}
