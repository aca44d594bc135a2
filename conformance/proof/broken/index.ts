import type { Mutant } from "../mutant.ts";
import { mutants as callers } from "./callers.ts";
import { mutants as connections } from "./connections.ts";
import { mutants as credentials } from "./credentials.ts";
import { mutants as effects } from "./effects.ts";
import { mutants as fragile } from "./fragile.ts";
import { mutants as framing } from "./framing.ts";
import { mutants as idempotency } from "./idempotency.ts";
import { mutants as limits } from "./limits.ts";
import { mutants as pages } from "./pages.ts";
import { mutants as parallel } from "./parallel.ts";
import { mutants as sockets } from "./sockets.ts";
import { mutants as state } from "./state.ts";
import { mutants as wholesale } from "./wholesale.ts";
import { mutants as writing } from "./writing.ts";

/** Every hand-written broken server that no earlier request has to break. */
export const mutants: readonly Mutant[] = [
  ...callers,
  ...connections,
  ...credentials,
  ...effects,
  ...fragile,
  ...framing,
  ...idempotency,
  ...limits,
  ...pages,
  ...parallel,
  ...sockets,
  ...state,
  ...wholesale,
  ...writing,
];
