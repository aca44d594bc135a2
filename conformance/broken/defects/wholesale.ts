import type { Context, Defect } from "../defect.ts";
import { respond, respondProblem } from "../shape.ts";

/** Servers that keep nothing of the contract: any run against one of them must be red. */
const wholesale = (
  id: string,
  description: string,
  hooks: Pick<Defect, "request" | "socket" | "unreadable">,
): Defect => ({
  id: `wholesale/${id}`,
  area: "wholesale",
  description,
  requirements: ["*"],
  catches: ["*"],
  reason: /./s,
  ...hooks,
});

const statuses = [200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 500, 503];
const bodies: unknown[] = [
  {},
  { items: [] },
  { status: "Operational" },
  { code: "internal-error" },
  [],
  null,
  "text",
  42,
];
const mediaTypes = ["application/json; charset=utf-8", "application/problem+json", "text/plain", "text/html"];

const anything = ({ random }: Context) => {
  const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
  return respond(pick(statuses, 200), pick(bodies, null), { "Content-Type": pick(mediaTypes, "text/plain") });
};

export const wholesaleDefects: readonly Defect[] = [
  wholesale("refuses-everything", "Answers every request with 403.", {
    request: () => respondProblem(403, "platform-not-allowed"),
    unreadable: () => respondProblem(403, "platform-not-allowed"),
  }),
  wholesale("accepts-everything", "Answers every request with 200 and an empty object.", {
    request: () => respond(200, {}),
    unreadable: () => respond(200, {}),
  }),
  wholesale("answers-at-random", "Answers with a status, body and media type drawn by the seed.", {
    request: (_request, context) => anything(context),
    unreadable: (_bytes, context) => anything(context),
  }),
  wholesale("hangs", "Accepts connections and requests, and never answers.", {
    socket: (socket) => {
      socket.resume();
      return true;
    },
  }),
  wholesale("closes", "Closes every connection at once.", {
    socket: (socket) => {
      socket.destroy();
      return true;
    },
  }),
  wholesale("garbage", "Answers every request with bytes that are not HTTP.", {
    request: () => ({ ...respond(200, {}), raw: Buffer.from("\u0000\u0001 no HTTP here \r\n\r\n", "latin1") }),
    unreadable: () => ({ ...respond(200, {}), raw: Buffer.from("no HTTP here either\r\n", "latin1") }),
  }),
];
