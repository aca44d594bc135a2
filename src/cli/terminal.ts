/** What a command uses of its environment; a test passes its own. */
export interface Terminal {
  /** May throw `ConfigError`, when a file of variables is invalid. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export function printJson(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value, null, 2)}\n`);
}
