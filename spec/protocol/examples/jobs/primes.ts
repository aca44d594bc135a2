/** So many numbers are tried between two steps. */
const STEP = 50_000;

export interface Step {
  /** In percent. */
  readonly progress: number;
  readonly count: number;
}

/** Counts the primes below a limit, step by step: a long work that others may interrupt. */
export function* countPrimes(limit: number): Generator<Step> {
  const primes: number[] = [];
  for (let n = 2; n < limit; n += 1) {
    const root = Math.sqrt(n);
    const divisor = primes.find((prime) => prime > root || n % prime === 0);
    if (divisor === undefined || divisor > root) primes.push(n);
    if (n % STEP === 0) yield { progress: Math.floor((100 * n) / limit), count: primes.length };
  }
  yield { progress: 100, count: primes.length };
}
