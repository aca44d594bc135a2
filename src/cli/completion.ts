import { Argument, type Command } from "commander";
import { type Operation, operations } from "../../generated/operations.ts";
import type { Terminal } from "./terminal.ts";

/** The words that may follow the words so far: `_atpoint_words call user.list`. Commands and options come from the program, the rest from the contract. */
function wordsFunction(program: Command): string {
  const flags = (command: Command) => command.options.flatMap(({ long }) => long ?? []);
  const cases: [after: string, words: readonly string[]][] = [];
  const add = (command: Command, path: string) => {
    for (const child of command.commands) add(child, `${path} ${child.name()}`.trim());
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    if (path !== "call")
      cases.push([path, [...command.commands.map((child) => child.name()), ...choices, ...flags(command)]]);
  };
  const all: readonly Operation[] = Object.values(operations);
  const called = (operation: Operation) => (operation.parts.length > 0 ? operation.known : [operation.name]);
  const options = program.commands.filter((command) => command.name() === "call").flatMap(flags);
  for (const operation of all)
    for (const name of called(operation))
      cases.push([`call ${name}`, [...Object.keys(operation.input).map((member) => `${member}=`), ...options]]);
  cases.push(["call", [...all.flatMap(called), ...options]]);
  add(program, "");
  // The first match counts; what holds for a command holds for everything after it.
  const line = ([after, words]: (typeof cases)[number]) =>
    `    ${after === "" ? '""' : `"${after}" | "${after} "*`}) echo ${words.map((word) => `'${word}'`).join(" ")} ;;`;
  return `_atpoint_words() {\n  case "$*" in\n${cases.map(line).join("\n")}\n  esac\n}\n`;
}

const SHELLS = {
  bash: `_atpoint() {
  local typed=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($(compgen -W "$(_atpoint_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$typed"))
  [[ \${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _atpoint atpoint
`,
  zsh: `_atpoint() {
  local -a found=($(_atpoint_words \${words[2,CURRENT-1]}))
  compadd -S '' -- \${(M)found:#*=}
  compadd -- \${found:#*=}
}
compdef _atpoint atpoint
`,
};

/** `completion bash|zsh`: prints a script that completes commands, operations and inputs. */
export function addCompletionCommand(program: Command, { stdout }: Terminal): void {
  program
    .command("completion")
    .description('print what completes commands, operations and inputs: eval "$(atpoint completion bash)"')
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => {
      stdout.write(`${wordsFunction(program)}\n${SHELLS[shell]}`);
    });
}
