import type { Request } from "../../oracle/world.ts";
import { problemCode } from "../proxy/look.ts";
import type { Context, Mutant, ProxyAnswer } from "../proxy/message.ts";
import { refusal, respond, withHeader, withoutHeader, withStatus } from "../proxy/shape.ts";
import { answering, callerOf, count } from "./memory.ts";

/** Servers that violate the whole contract, and that limit calls in another way. */

const statuses = [200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 500, 503];
const bodies: readonly unknown[] = [{}, { items: [] }, { code: "internal-error" }, [], null, "text", 42];
const mediaTypes = ["application/json; charset=utf-8", "application/problem+json", "text/plain", "text/html"];
const anything = ({ random }: Context) => {
  const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
  return respond(pick(statuses, 200), pick(bodies, null), { "Content-Type": pick(mediaTypes, "text/plain") });
};
const garbage = { ...respond(200, {}), raw: Buffer.from("\u0000\u0001 no HTTP here \r\n\r\n", "latin1") };

/** Responds to everything, whatever it is. */
const wholesale = (what: string, answer: (context: Context) => ProxyAnswer): Mutant => ({
  id: `the server ${what}`,
  request: (_, context) => answer(context),
  unreadable: (_, context) => answer(context),
});

const MOST = 9;

/** Right counting: by key, and requests rejected with 401 separately. The service behind it has no limits. */
const right = {
  who: (request: Request, answer: ProxyAnswer) =>
    problemCode(answer) === "credentials-invalid" ? "refused" : callerOf(request),
  over: (_: ProxyAnswer) => withHeader(refusal("rate-limited"), "Retry-After", "30"),
  says: (left: number) => `"calls";r=${left};t=30`,
};

function counting(id: string, wrong: Partial<typeof right>): Mutant {
  const { who, over, says } = { ...right, ...wrong };
  return answering(`a service that counts calls ${id}`, (answer, request, { state }) => {
    const calls = count(state, who(request, answer));
    const limited = withHeader(calls > MOST ? over(answer) : answer, "RateLimit-Policy", `"calls";q=${MOST};w=60`);
    return withHeader(limited, "RateLimit", says(Math.max(0, MOST - calls)));
  });
}

export const mutants: readonly Mutant[] = [
  wholesale("answers at random", anything),
  wholesale("speaks no HTTP", () => garbage),
  counting("refuses nobody", { over: (answer) => answer }),
  counting("counts all of them alike, valid keys too", { who: () => "all" }),
  counting("refuses with 403", { over: (answer) => withStatus(right.over(answer), 403) }),
  counting("does not say how long to wait", { over: (answer) => withoutHeader(right.over(answer), "Retry-After") }),
  counting("never says that fewer are left", { over: (answer) => answer, says: () => right.says(MOST) }),
  counting("says what is left of another policy", { says: (left) => `"others";r=${left};t=30` }),
];
