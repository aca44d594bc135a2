import { setTimeout as sleep } from "node:timers/promises";
import { broken, type Mutant } from "../mutant.ts";
import { header } from "../proxy/look.ts";
import type { Hooks, ProxyRequest } from "../proxy/message.ts";
import { letIn, withHeader } from "../proxy/shape.ts";
import { called, credentialNames, KEY, sent } from "../requests.ts";

/** A request in parallel with, or after, one with valid credentials gets the same caller. */

/** Milliseconds in which another request may arrive. */
const WHILE = 250;

const isAnonymous = (request: ProxyRequest) =>
  called(request)?.auth === true && credentialNames.every((name) => sent(request, name) === "");
const confused = (where: string, hooks: Hooks): Mutant => broken(`takes nobody for the caller ${where}`, hooks);

/** A missing field is taken from the previous request on the connection. */
const keeps = (name: string): Mutant =>
  broken(`keeps ${name} for the rest of a connection`, {
    socket: (_socket, { state }) => {
      state.delete(name);
      return false;
    },
    request: (request, { state }) => {
      const value = header(request, name);
      if (value !== null) state.set(name, value);
      const before = state.get(name);
      return value === null && typeof before === "string" ? withHeader(request, name, before) : request;
    },
  });

export const mutants: readonly Mutant[] = [
  keeps("X-API-KEY"),
  keeps("X-PLATFORM"),
  keeps("Accept"),
  broken("names the operation before on a connection", {
    socket: (_socket, { state }) => {
      state.delete("operation");
      return false;
    },
    answer: (answer, _request, { state }) => {
      const [own, before] = [header(answer, "X-Operation"), state.get("operation")];
      if (own !== null) state.set("operation", own);
      return own === null && typeof before === "string" ? withHeader(answer, "X-Operation", before) : answer;
    },
  }),
  confused("that is being served", {
    request: async (request, context) => {
      const served = () => Number(context.state.get("served") ?? 0);
      if (isAnonymous(request) && served() > 0) return letIn(request, context);
      if (sent(request, KEY) !== context.credentials?.key) return request;
      context.state.set("served", served() + 1);
      await sleep(WHILE);
      context.state.set("served", served() - 1);
      return request;
    },
  }),
  confused("before it on a connection", {
    socket: (_socket, { state }) => {
      state.delete("before");
      return false;
    },
    request: (request, context) => {
      if (isAnonymous(request) && context.state.has("before")) return letIn(request, context);
      if (sent(request, KEY) === context.credentials?.key) context.state.set("before", true);
      return request;
    },
  }),
];
