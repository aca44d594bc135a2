/** A reader that closes the pipe (`--list | head`) is not an error: remaining output is dropped, and the work is completed. */
export function outliveReaders({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr"> = process): void {
  for (const stream of [stdout, stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}
