/** A reader that goes (`--list | head`) is no fault: what is left to say is left, and the work is done to its end. */
export function outliveReaders({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr"> = process): void {
  for (const stream of [stdout, stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}
