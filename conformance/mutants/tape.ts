import { Stopped } from "../client/expectation.ts";
import type { Carrier } from "../client/transport.ts";
import type { Answer, Exchange } from "../client/wire/exchange.ts";
import { sendHttp } from "../client/wire/http.ts";
import { type Conversation, converse } from "../client/wire/socket.ts";
import { wireOf } from "../models/wire-of.ts";
import type { ProxyAnswer, ProxyRequest } from "./proxy/message.ts";

/**
 * The requests and responses of a check, so that it can be run again without a server, with the same responses or with changed
 * ones.
 */

export type Change = (answer: ProxyAnswer, request: ProxyRequest | null) => ProxyAnswer;

/** A request as a proxy would have seen it; null for bytes that are not one readable request. */
export function requestOf(request: Exchange["request"]): ProxyRequest | null {
  const wire = wireOf({ request, answer: null, error: null, durationMs: 0 }, "");
  return (
    wire && {
      ...{ method: wire.method, target: wire.target, version: wire.version ?? "1.1", headers: wire.fields },
      ...{ body: Buffer.from(wire.body, "latin1"), rawBytes: request.raw ?? Buffer.alloc(0) },
    }
  );
}

export class Tape {
  private readonly exchanges = new Map<string, Exchange[]>();
  private readonly conversations = new Map<string, Conversation[]>();

  /** How many requests were sent. */
  get length(): number {
    return [...this.exchanges.values(), ...this.conversations.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Sends, and records the responses. */
  readonly recorder: Carrier = {
    http: async (origin, request, limits) =>
      keep(this.exchanges, keyOf(request), await sendHttp(origin, request, limits)),
    raw: async (target, pieces, options, limits) =>
      keep(this.conversations, bytesOf(pieces), await converse(target, pieces, options, limits)),
  };

  /** Plays the same responses again, changed. Throws `Stopped` for a request that was not recorded: its response is unknown. */
  player(change: Change): Carrier {
    const used = new Map<string, number>();
    const next = <T>(all: ReadonlyMap<string, readonly T[]>, key: string): T => {
      const at = used.get(key) ?? 0;
      used.set(key, at + 1);
      const some = all.get(key) ?? [];
      const one = some[at] ?? some.at(-1);
      if (one === undefined) throw new Stopped("this request was not recorded");
      return one;
    };
    const changed = (answer: Answer, request: Exchange["request"]): Answer => ({
      ...answer,
      ...change(answer, requestOf(request)),
    });
    return {
      http: async (_origin, request) => {
        const exchange = next(this.exchanges, keyOf(request));
        const { answer } = exchange;
        return answer ? { ...exchange, answer: changed(answer, exchange.request) } : exchange;
      },
      raw: async (target, pieces) => {
        const conversation = next(this.conversations, bytesOf(pieces));
        const raw = Buffer.concat(pieces);
        const request = { method: "", url: target.url, headers: [], body: Buffer.alloc(0), raw };
        return { ...conversation, answers: conversation.answers.map((answer) => changed(answer, request)) };
      },
    };
  }
}

const keyOf = ({ method, path, headers, body }: Parameters<typeof sendHttp>[1]): string =>
  JSON.stringify([method, path, headers, body?.toString("latin1")]);
const bytesOf = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString("latin1");

function keep<T>(all: Map<string, T[]>, key: string, one: T): T {
  all.set(key, [...(all.get(key) ?? []), one]);
  return one;
}
