import type { Difference, Exchange, Finding } from "../exchange.ts";
import { compare } from "../laws/compare.ts";
import { differs } from "../laws/difference.ts";
import { View } from "../laws/view.ts";
import type { Run, Script } from "../run/state.ts";

const PATH = "/.well-known/security.txt";
const REQUIREMENT = "http/security-txt";

/** `/.well-known/security.txt` (D11; RFC 9116): an operator may serve it, so no case can say what is right. */
export const securityTxt: Script = {
  ...{ id: `path ${PATH}`, requirements: [REQUIREMENT], effect: "read" },
  async *run({ suite, world, client, source }: Run): AsyncIterable<Finding> {
    const request = { method: "GET", target: PATH, fields: [["Host", source.caller.host]], body: "" } as const;
    const prediction = suite.oracle.predict(request, world);
    const exchange: Exchange = { ...(await client.send(request)), prediction };
    const { response, error } = exchange;
    const { contract } = suite.oracle;
    const difference = response
      ? response.status === 404
        ? compare(exchange, contract)
        : textDifference(new View(contract, exchange, response))
      : differs("connection", "a response", error ?? "none");
    if (difference)
      yield { requirement: REQUIREMENT, source: "script", ...difference, exchanges: [exchange], at: 0, case: null };
  },
};

function textDifference({ status, mediaType, text, shown }: View): Difference | null {
  if (status !== 200) return differs("status", "200 or 404", shown);
  if (mediaType !== "text/plain") return differs("header:content-type", "text/plain", mediaType);
  const lines = text.split("\n").map((line) => /^(contact|expires):[ \t]*(\S+)/i.exec(line) ?? []);
  const values = (name: string) => lines.flatMap(([, one, value]) => (one?.toLowerCase() === name ? [value] : []));
  if (values("contact").length === 0) return differs("body", "a field Contact", shown);
  const [expires = "", ...more] = values("expires");
  const isRight = more.length === 0 && Date.parse(expires) > Date.now();
  return isRight ? null : differs("body", "one field Expires, with a time to come", shown);
}
