// The typed client: `import { createClient } from "atpoint/client"`. It runs in browsers and Node.js, and needs nothing.
import { command } from "../../generated/commands.ts";
import { readAnswer } from "./answer.ts";
import { AtpointError } from "./atpoint-error.ts";
import type { Answer, Input, Item, JsonOf, MediaType, OperationName, PagedName } from "./types.ts";

export { AtpointError, type Failure, type FailureKind } from "./atpoint-error.ts";
export type { Answer, CodeOf, Input, Item, MediaType, OperationName, PagedName } from "./types.ts";

export interface ClientSettings {
  /** A deployment, without `/api/`: `https://api.example.com/prefix`. */
  readonly baseUrl: string;
  /** Key and platform; public operations need none. They are sent as headers, never in a URL. */
  readonly apiKey?: string | undefined;
  readonly platform?: string | undefined;
  /** For a whole call, with its retries; 30,000 unless given. */
  readonly timeoutMs?: number;
  /** How often a query (GET), or a command with an `idempotencyKey`, is tried again that was not answered, or with 429 or 503; twice unless given. */
  readonly retries?: number;
}

export interface CallOptions<Media extends string = string> {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** The representation; JSON unless given. */
  readonly accept?: Media;
  /** Of a command: 1–255 visible ASCII characters, a UUID for example. With it a command is tried again as a query is, and happens once. */
  readonly idempotencyKey?: string;
}

type Arguments<Name extends OperationName, Media extends string> =
  Record<never, never> extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions<Media>]
    : [input: Input<Name>, options?: CallOptions<Media>];

export interface Client {
  /** Calls an operation. Resolves with the body of its answer, rejects with an `AtpointError`. */
  call<Name extends OperationName, Media extends MediaType<Name> = JsonOf<Name>>(
    name: Name,
    ...rest: Arguments<Name, Media>
  ): Promise<Answer<Name, Media>>;
  /** All items of a list, from the page on that `input` says, a call for each page. Throws an `AtpointError`. */
  walk<Name extends PagedName>(
    name: Name,
    input?: Input<Name>,
    options?: CallOptions<never>,
  ): AsyncGenerator<Item<Name>>;
}

export function createClient({ baseUrl, apiKey, platform, timeoutMs = 30_000, retries = 2 }: ClientSettings): Client {
  const endpoint = `${baseUrl.replace(/\/+$/, "")}/api/`;
  const credentials = { ...(apiKey && { "X-API-KEY": apiKey }), ...(platform && { "X-PLATFORM": platform }) };

  async function call(name: OperationName, input: Record<string, unknown> = {}, options: CallOptions = {}) {
    const { accept = "application/json", timeoutMs: limit = timeoutMs, idempotencyKey } = options;
    const isCommand = command.test(name);
    const url = isCommand ? endpoint : `${endpoint}?${queryOf(name, input)}`;
    const body = isCommand ? JSON.stringify({ "@": name, data: input }) : null;
    const own = isCommand && {
      "Content-Type": "application/json",
      ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
    };
    const headers = { Accept: accept, ...own, ...credentials };
    const until = Date.now() + limit;
    const timeout = AbortSignal.timeout(limit);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    for (let tried = 0; ; tried++) {
      try {
        // A redirect would take the key to another place, and `/api/` has none.
        const init: RequestInit = { method: isCommand ? "POST" : "GET", headers, body, signal, redirect: "manual" };
        return await readAnswer(name, accept, await fetch(url, init));
      } catch (cause) {
        const kind = !signal.aborted ? "network" : signal.reason === timeout.reason ? "timeout" : "aborted";
        const failure =
          cause instanceof AtpointError ? cause : new AtpointError({ operation: name, kind }, SAID[kind], { cause });
        const wait = failure.retryAfterMs ?? 100 * 2 ** tried * (1 + Math.random());
        // A command without an answer may have happened: without a key for that it is never sent twice.
        if ((isCommand && !idempotencyKey) || tried >= retries || !isPassing(failure) || Date.now() + wait > until)
          throw failure;
        await pause(wait, signal);
      }
    }
  }

  async function* walk(name: PagedName, input?: Record<string, unknown>, options?: CallOptions) {
    let cursor: unknown = input?.cursor;
    do {
      // Proof: a `PagedName` is an operation that answers this.
      const page = (await call(name, { ...input, cursor }, options)) as { items: unknown[]; nextCursor?: string };
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor);
  }

  // Inside, inputs and answers are untyped. `Client` says of each what the contract does, and the service keeps it.
  return { call, walk } as unknown as Client;
}

const SAID = { network: "no answer", timeout: "no answer in time", aborted: "aborted" };

/** A list is one value, separated by commas (D2), as String() has it. */
function queryOf(name: string, input: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams({ "@": name });
  for (const [key, value] of Object.entries(input)) if (value !== undefined) query.set(key, String(value));
  return query;
}

const isPassing = ({ kind, status }: AtpointError): boolean => kind === "network" || status === 429 || status === 503;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
