import { broken, type Mutant } from "../mutant.ts";
import type { Context, Hooks } from "../proxy/message.ts";
import { respond, respondProblem } from "../proxy/shape.ts";

/** Servers that violate the whole contract. */

const wholesale = (what: string, hooks: Hooks): Mutant => broken(`the server ${what}`, hooks);

const statuses = [200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 500, 503];
const bodies: readonly unknown[] = [{}, { items: [] }, { code: "internal-error" }, [], null, "text", 42];
const mediaTypes = ["application/json; charset=utf-8", "application/problem+json", "text/plain", "text/html"];

const anything = ({ random }: Context) => {
  const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
  return respond(pick(statuses, 200), pick(bodies, null), { "Content-Type": pick(mediaTypes, "text/plain") });
};
const garbage = { ...respond(200, {}), raw: Buffer.from("\u0000\u0001 no HTTP here \r\n\r\n", "latin1") };
const refusal = () => respondProblem(403, "platform-not-allowed");

export const mutants: readonly Mutant[] = [
  wholesale("refuses everything", { request: refusal, unreadable: refusal }),
  wholesale("accepts everything", { request: () => respond(200, {}), unreadable: () => respond(200, {}) }),
  wholesale("answers at random", {
    request: (_request, context) => anything(context),
    unreadable: (_bytes, context) => anything(context),
  }),
  wholesale("hangs", {
    socket: (socket) => {
      socket.resume();
      return true;
    },
  }),
  wholesale("closes", {
    socket: (socket) => {
      socket.destroy();
      return true;
    },
  }),
  wholesale("speaks no HTTP", { request: () => garbage, unreadable: () => garbage }),
];
