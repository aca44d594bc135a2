import type { Hooks } from "../proxy/message.ts";
import { answersOfOne, answersOfOther } from "./answers.ts";
import { behaviourOfOne, behaviourOfOther } from "./behaviour.ts";
import { connectionsOfOne, connectionsOfOther } from "./connections.ts";
import { type Right, together } from "./right.ts";

/** Two conforming deployments, each different from ours in everything at once that does not exclude another. */
export const conforming: readonly { readonly id: string; readonly rights: readonly Right[]; readonly hooks: Hooks }[] =
  [
    { id: "one", rights: [...behaviourOfOne, ...answersOfOne, ...connectionsOfOne] },
    { id: "another", rights: [...behaviourOfOther, ...answersOfOther, ...connectionsOfOther] },
  ].map((one) => ({ ...one, hooks: together(one.rights) }));
