// The typed client of any contract. It runs in browsers and Node.js and has no dependencies.
import { AtpointError, type ErrorsOf, readAnswer } from "./answer.ts";
import type {
  Answer,
  AnyContract,
  Input,
  Item,
  JsonOf,
  MediaType,
  OperationName,
  PagedName,
  TypesOf,
} from "./types.ts";

export interface ClientSettings {
  /** A deployment, without `/api/`: `https://api.example.com/prefix`. */
  readonly baseUrl: string;
  /** Key and platform; public operations need none. They are sent as headers, never in a URL. */
  readonly apiKey?: string | undefined;
  readonly platform?: string | undefined;
  /** For each attempt of a call. */
  readonly timeoutMs?: number;
  /**
   * How often a call is repeated after a network error, a timeout, 429 or 503: a query (GET), or a
   * command with an `idempotencyKey`.
   */
  readonly retries?: number;
  /**
   * For all pauses between the attempts of one call. A call that would have to wait for longer
   * fails at once.
   */
  readonly maxWaitMs?: number;
}

/** The limits of a service are per minute, so that a minute is enough to wait. */
export const defaults = { timeoutMs: 30_000, retries: 2, maxWaitMs: 60_000 } as const;

const JSON_TYPE = "application/json";

/**
 * The first pause if the response specifies none; each further one is twice as long, and up to
 * twice that by chance.
 */
const BACKOFF_MS = 100;

export interface CallOptions<Media extends string = string> {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** The representation; JSON unless given. */
  readonly accept?: Media;
  /**
   * Of a command: 1–255 visible ASCII characters, a UUID for example. With it a command is retried
   * as a query is, and happens once.
   */
  readonly idempotencyKey?: string;
}

type Arguments<In, Media extends string> =
  Record<never, never> extends In
    ? [input?: In, options?: CallOptions<Media>]
    : [input: In, options?: CallOptions<Media>];

/** A client of a contract, with the types that are generated with it. */
export interface Client<C extends AnyContract, T extends TypesOf<C>> {
  /**
   * Calls an operation. Resolves with the body of its answer, rejects with an `AtpointError`;
   * arguments that no request can hold are a `TypeError`, and nothing is sent.
   */
  call<Name extends OperationName<C>, Media extends MediaType<C, T, Name> = JsonOf<C, T, Name>>(
    name: Name,
    ...rest: Arguments<Input<C, T, Name>, Media>
  ): Promise<Answer<C, T, Name, Media>>;
  /**
   * All items of a list, beginning at the `cursor` of `input`, with one call for each page. Throws
   * an `AtpointError`.
   */
  walk<Name extends PagedName<C, T>>(
    name: Name,
    input?: Input<C, T, Name>,
    options?: CallOptions<never>,
  ): AsyncGenerator<Item<C, T, Name>>;
}

/**
 * What calls the operations of a contract: `contract` and `Types` of its `generated/contract.ts`,
 * of which only the types are used, and `command` of its `generated/commands.ts`.
 *
 *     const { createClient, AtpointError } = clientOf<typeof contract, Types>(command);
 */
export function clientOf<C extends AnyContract, T extends TypesOf<C>>(
  command: RegExp,
): {
  readonly createClient: (settings: ClientSettings) => Client<C, T>;
  readonly AtpointError: ErrorsOf<C>;
} {
  return {
    // Inside, inputs and answers are untyped. `Client` says of each what the contract does, and the
    // service keeps it.
    createClient: (settings) => createClient(command, settings) as unknown as Client<C, T>,
    AtpointError,
  };
}

function createClient(command: RegExp, settings: ClientSettings) {
  const { baseUrl, apiKey, platform } = settings;
  const {
    timeoutMs = defaults.timeoutMs,
    retries = defaults.retries,
    maxWaitMs = defaults.maxWaitMs,
  } = settings;
  const endpoint = `${baseUrl.replace(/\/+$/, "")}/api/`;
  const credentials = {
    ...(apiKey && { "X-API-KEY": apiKey }),
    ...(platform && { "X-PLATFORM": platform }),
  };

  async function call(
    name: string,
    input: Record<string, unknown> = {},
    options: CallOptions = {},
  ) {
    const { accept = JSON_TYPE, idempotencyKey, signal: caller } = options;
    const isCommand = command.test(name);
    const ofCommand = isCommand && {
      "Content-Type": JSON_TYPE,
      ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
    };
    const headers: Record<string, string> = { Accept: accept, ...ofCommand, ...credentials };
    // `fetch` would show the value in its message, and retry what cannot succeed.
    for (const [header, value] of Object.entries(headers))
      if (/[^ -~]/.test(value))
        throw new TypeError(`${header} has a character that cannot be sent.`);
    const url = isCommand ? endpoint : `${endpoint}?${queryOf(name, input)}`;
    const init: RequestInit = {
      method: isCommand ? "POST" : "GET",
      headers,
      body: isCommand ? JSON.stringify({ "@": name, data: input }) : null,
      // A redirect could send the key to another origin, and `/api/` has none.
      redirect: "manual",
    };
    let waited = 0;
    for (let tried = 0; ; tried++) {
      const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
      const request = new Request(url, {
        ...init,
        signal: caller ? AbortSignal.any([caller, timeout]) : timeout,
      });
      let response: Response | undefined;
      try {
        response = await fetch(request);
        return readAnswer(name, accept, response, await response.text());
      } catch (cause) {
        const kind = caller?.aborted ? "aborted" : timeout.aborted ? "timeout" : "network";
        const known = { operation: name, kind, status: response?.status } as const;
        const message =
          kind === "network" ? `${MESSAGE[kind]} (${reasonOf(cause)})` : MESSAGE[kind];
        const failure =
          cause instanceof AtpointError ? cause : new AtpointError(known, message, { cause });
        const wait = failure.retryAfterMs ?? BACKOFF_MS * 2 ** tried * (1 + Math.random());
        waited += wait;
        // A command without a response may have happened: without an idempotency key it is never
        // sent twice.
        if (
          (isCommand && !idempotencyKey) ||
          tried >= retries ||
          waited > maxWaitMs ||
          !isPassing(failure)
        )
          throw failure;
        await pause(wait, caller);
      }
    }
  }

  async function* walk(name: string, input?: Record<string, unknown>, options?: CallOptions) {
    let cursor: unknown = input?.cursor;
    do {
      // Proof: `PagedName` has the operations that answer this; of another server's page, `items`
      // is looked at.
      type Page = { readonly items: readonly unknown[]; readonly nextCursor?: string } | null;
      const page = (await call(name, { ...input, cursor }, options)) as Page;
      if (!Array.isArray(page?.items))
        throw new AtpointError(
          { operation: name, kind: "unexpected" },
          "unexpected response: a page without items",
        );
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor);
  }

  return { call, walk };
}

const MESSAGE = {
  network: "no complete response",
  timeout: "no complete response in time",
  aborted: "aborted",
};

/**
 * Why `fetch` failed: its own message is only that it has. Several addresses that were tried have a
 * code and no message.
 */
function reasonOf(thrown: unknown): string {
  const { cause, message, code } = Object(thrown);
  return cause ? reasonOf(cause) : message || code;
}

/**
 * A list is one value, separated by commas (D2), as String() has it. What is undefined or null is
 * left out.
 */
function queryOf(name: string, input: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams({ "@": name });
  for (const [key, value] of Object.entries(input))
    if (value != null) query.set(key, String(value));
  return query;
}

const isPassing = ({ kind, status }: AtpointError): boolean =>
  kind === "network" || kind === "timeout" || status === 429 || status === 503;

/** Ends early when the caller aborts: the next attempt then fails at once. */
const pause = (milliseconds: number, caller?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, caller?.aborted ? 0 : milliseconds);
    caller?.addEventListener("abort", end);
  });
