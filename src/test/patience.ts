/**
 * Milliseconds. Ends a test that hangs, and is far beyond what any test needs on a busy machine:
 * the one time limit of all tests.
 */
export const BOUND_MS = 1_800_000;

const bound = String(BOUND_MS);
/**
 * Variables of a service under test, so that it is in time on a busy machine. Its limits for slow
 * requests are not here: only clients that send nothing reach them, and the suite waits for them.
 */
export const patience = {
  DATABASE_TIMEOUT_MS: bound,
  MIGRATION_TIMEOUT_MS: bound,
  HANDLER_TIMEOUT_MS: bound,
  MAX_EVENT_LOOP_DELAY_MS: bound,
  SHUTDOWN_TIMEOUT_MS: bound,
};

/**
 * For what only a clock decides, when something else has to happen within its time: a failure
 * counts when there was plenty of time. Only the last try waits long, and only when it fails.
 */
export const withMoreTime = (attempt: (milliseconds: number) => Promise<void>): Promise<void> =>
  attempt(500)
    .catch(() => attempt(5_000))
    .catch(() => attempt(50_000));
