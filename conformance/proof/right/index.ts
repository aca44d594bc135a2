import type { Request } from "../../oracle/model-state.ts";
import { withHeader, withoutHeader } from "../proxy/edit-response.ts";
import type { Context, Hooks, Mutant, Reply } from "../proxy/message.ts";
import { answers } from "./answers.ts";
import { behaviour, connections } from "./behaviour.ts";

/**
 * Deployments that differ from ours in something that the contract leaves open: nothing may be
 * found about them.
 */

/** One deployment with all these differences at once: any combination of them is allowed. */
export function together(rights: readonly Hooks[]): Hooks {
  const asked = async (request: Request, context: Context) => {
    let now: Request | Reply = request;
    for (const right of rights)
      if (!("status" in now)) now = (await right.request?.(now, context)) ?? now;
    return now;
  };
  const answered = async (answer: Reply, request: Request, context: Context) => {
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
      const sent = await asked(get, context);
      const whole = await answered(
        "status" in sent ? sent : await context.forward(sent),
        get,
        context,
      );
      if (whole.body.length === 0) return whole;
      const sized = withHeader(
        withoutHeader(whole, "Transfer-Encoding"),
        "Content-Length",
        `${whole.body.length}`,
      );
      return { ...sized, body: Buffer.alloc(0) };
    },
  };
}

/** A conforming deployment that differs from ours in everything at once. */
export const conforming: readonly Mutant[] = [...behaviour, ...answers, ...connections];
