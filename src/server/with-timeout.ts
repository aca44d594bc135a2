/**
 * The result of `work`; throws what `deadlineExceeded` creates once `milliseconds` have passed. The
 * work itself goes on.
 */
export async function withTimeout<T>(
  milliseconds: number,
  work: PromiseLike<T>,
  deadlineExceeded: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(deadlineExceeded()), milliseconds);
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}
