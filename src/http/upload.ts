import type { IncomingMessage } from "node:http";
import type { Problem } from "../problem.ts";

const broken = new WeakMap<IncomingMessage, AbortController>();

/** Aborted, with the problem as its reason, once the rest of this request's body cannot come any more. */
export function uploadSignal(request: IncomingMessage): AbortSignal {
  return controllerOf(request).signal;
}

/**
 * Says that the rest of the body will not come, although the socket is open: whoever reads it fails with `problem`.
 * Destroying the request instead would destroy the socket and with it the answer.
 */
export function breakUpload(request: IncomingMessage, problem: Problem): void {
  controllerOf(request).abort(problem);
}

function controllerOf(request: IncomingMessage): AbortController {
  const known = broken.get(request);
  if (known) return known;
  const controller = new AbortController();
  broken.set(request, controller);
  return controller;
}
