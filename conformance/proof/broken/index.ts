import type { Mutant } from "../proxy/message.ts";
import { mutants as callers, histories as ofCallers } from "./callers.ts";
import { mutants as framing } from "./framing.ts";
import { histories as ofLists } from "./lists.ts";
import { histories as ofRecords, mutants as records } from "./records.ts";
import { mutants as sockets } from "./sockets.ts";

/** Right for every single request to a new one, and broken by earlier or concurrent requests. */
export const stateful: readonly Mutant[] = [...ofRecords, ...ofLists, ...ofCallers];

/** Every hand-written broken server, one for each way to be wrong. */
export const mutants: readonly Mutant[] = [
  ...stateful,
  ...callers,
  ...records,
  ...framing,
  ...sockets,
];

/** The hooks of the one with this id. */
export function hooksOf(id: string): Mutant {
  const mutant = mutants.find((one) => one.id === id);
  if (!mutant) throw new Error(`no broken server is called ${id}`);
  return mutant;
}
