/** What a command has of the world around it; a test gives its own. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}
