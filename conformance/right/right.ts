import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "../mutants/proxy/message.ts";
import { withHeader } from "../mutants/proxy/shape.ts";

/** A deployment that differs from ours in something that the contract leaves open: every check must let it pass. */
export interface Right {
  /** What it does otherwise, in words that no other has. */
  readonly id: string;
  /** Checks of which it shows nothing that could be judged. */
  readonly leavesOpen?: readonly string[];
  /** What reaches the target instead; the same object where nothing is changed. */
  readonly request?: (request: ProxyRequest, context: Context) => ProxyRequest;
  /** What it answers. */
  readonly answer?: (
    answer: ProxyAnswer,
    request: ProxyRequest,
    context: Context,
  ) => ProxyAnswer | Promise<ProxyAnswer>;
  /** What it answers to bytes that are no well-formed request; null where it does nothing otherwise. */
  readonly unreadable?: (bytes: Buffer, context: Context) => Promise<ProxyAnswer | null>;
}

/** One deployment that has all these differences at once: what each of them may do, all of them may do together. */
export function together(rights: readonly Right[]): Hooks {
  const asked = (request: ProxyRequest, context: Context) =>
    rights.reduce((now, right) => right.request?.(now, context) ?? now, request);
  const answered = async (answer: ProxyAnswer, request: ProxyRequest, context: Context) => {
    let now = answer;
    for (const right of rights) now = (await right.answer?.(now, request, context)) ?? now;
    return now;
  };
  return {
    request: asked,
    unreadable: async (bytes, context) => {
      const answers = await Promise.all(rights.map((right) => right.unreadable?.(bytes, context)));
      return answers.find((answer) => answer) ?? null;
    },
    answer: async (answer, request, context) => {
      if (request.method !== "HEAD") return answered(answer, request, context);
      // HEAD has the fields of its GET (D5), the length of a changed body among them.
      const get = { ...request, method: "GET" };
      const whole = await answered(await context.forward(asked(get, context)), get, context);
      if (whole.body.length === 0) return whole;
      return { ...withHeader(whole, "Content-Length", String(whole.body.length)), body: Buffer.alloc(0) };
    },
  };
}
