import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withHeader } from "../proxy/shape.ts";

/** A deployment that differs from ours in something that the contract leaves open: nothing may be found about it. */
export interface Right {
  /** Its difference, in words that no other has. */
  readonly id: string;
  /** The request as sent to the target; the same object if nothing is changed. */
  readonly request?: (request: ProxyRequest, context: Context) => ProxyRequest;
  /** Its response. */
  readonly answer?: (
    answer: ProxyAnswer,
    request: ProxyRequest,
    context: Context,
  ) => ProxyAnswer | Promise<ProxyAnswer>;
  /** Its response to bytes that are not a well-formed request; null if nothing differs. */
  readonly unreadable?: (bytes: Buffer, context: Context) => Promise<ProxyAnswer | null>;
}

/** One deployment with all these differences at once: any combination of them is allowed. */
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
      // HEAD has the fields of its GET (D5), including the length of a changed body.
      const get = { ...request, method: "GET" };
      const whole = await answered(await context.forward(asked(get, context)), get, context);
      if (whole.body.length === 0) return whole;
      return { ...withHeader(whole, "Content-Length", String(whole.body.length)), body: Buffer.alloc(0) };
    },
  };
}
