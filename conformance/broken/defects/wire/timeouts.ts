import { caught } from "../../caught.ts";
import type { Context, Defect, ProxyAnswer } from "../../defect.ts";
import { respond, respondProblem } from "../../shape.ts";
import { connect, receive } from "../../upstream.ts";

const hasHead = (bytes: Buffer) => bytes.includes("\r\n\r\n");
const closed: ProxyAnswer = { ...respond(200, {}), raw: Buffer.alloc(0) };

/** The right refusal without the wait: made from that of something that cannot be read. */
async function early({ target }: Context): Promise<ProxyAnswer> {
  const upstream = connect(target);
  upstream.write("this is not HTTP\r\n\r\n");
  const { answer } = await receive(upstream, "GET", () => {});
  const text = answer.body
    .toString()
    .replaceAll("malformed-request", "request-timeout")
    .replace('"status":400', '"status":408');
  const body = Buffer.from(text.replace("Malformed request", "Request timeout"));
  return { ...answer, status: 408, reason: "Request Timeout", body };
}

/** What became of half a request (its head is there, or is not). */
const half = (
  id: string,
  description: string,
  head: boolean,
  reason: RegExp,
  answer: (context: Context) => ProxyAnswer | Promise<ProxyAnswer>,
) =>
  caught(`http/${id}`, description, [head ? "http/request-timeout" : "http/headers-timeout"], reason, {
    unreadable: (bytes, context) => (hasHead(bytes) === head ? answer(context) : null),
  });

/** Goes on writing to a client that does not read, for so long. */
const patient = (id: string, description: string, reason: RegExp, forMs: number) =>
  caught(`http/stalled-client-${id}`, description, ["http/stalled-client"], reason, {
    socket: (client, { target }) => {
      const upstream = connect(target).on("error", () => {});
      client.pipe(upstream);
      upstream.on("data", (bytes: Buffer) => void client.write(bytes));
      upstream.on("end", () => client.end());
      const timer = setTimeout(() => client.destroy(), forMs);
      client.on("close", () => {
        clearTimeout(timer);
        upstream.destroy();
      });
      return true;
    },
  });

export const timeoutDefects: readonly Defect[] = [
  half(
    "headers-timeout-closes",
    "Ends the connection of a client that is slow with its headers.",
    false,
    /an answer/,
    () => closed,
  ),
  half("headers-timeout-400", "Says malformed-request of headers that are slow.", false, /408/, () =>
    respondProblem(400, "malformed-request"),
  ),
  half("headers-timeout-early", "Gives headers no time.", false, /before 10 s/, early),
  half(
    "request-timeout-closes",
    "Ends the connection of a client that is slow with its body.",
    true,
    /an answer/,
    () => closed,
  ),
  half("request-timeout-half-served", "Takes half a body for a whole one.", true, /408/, () =>
    respondProblem(422, "invalid-input"),
  ),
  half("request-timeout-early", "Gives bodies no time.", true, /before 30 s/, early),
  patient("kept", "Keeps all that a client does not read.", /end of the connection/, 2 ** 31 - 1),
  patient("hurried", "Gives clients no time to read.", /before 30 s/, 3000),
];
