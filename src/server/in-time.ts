/** The result of `work`; throws what `late` creates once `milliseconds` have passed. The work itself goes on. */
export async function inTime<T>(
  milliseconds: number,
  work: PromiseLike<T>,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}
