import { differs, excerpt } from "../laws/difference.ts";
import type { Script } from "../run/state.ts";
import { simple } from "./requests.ts";
import { script } from "./script.ts";

/** `/.well-known/security.txt` (D11, RFC 9116), where there is one: no prediction knows whether there is. */
export const securityTxt: Script = script("security.txt", "http/security-txt", "read", async function* (talk) {
  const { client, suite, world } = talk.run;
  const request = { ...simple(talk.run), target: "/.well-known/security.txt" };
  const exchange = { ...(await client.send(request)), prediction: suite.oracle.predict(request, world) };
  const { response, error } = exchange;
  if (!response) return yield talk.found(differs("connection", "a response", error ?? "none"), exchange);
  if (response.status === 404) return yield* talk.compared(exchange, false);
  const text = response.body.toString();
  const isText = response.fields.some(([name, value]) => /^content-type$/i.test(name) && /^text\/plain\b/i.test(value));
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)`, "gim"))].map(([, one]) => one);
  const [expires = "", ...more] = values("expires");
  const found = `${response.status} ${excerpt(text)}`;
  if (response.status !== 200 || !isText)
    yield talk.found(differs("status", "200 text/plain, or 404", found), exchange);
  else if (values("contact").length === 0) yield talk.found(differs("body", "a field Contact", found), exchange);
  else if (more.length > 0 || !(Date.parse(expires) > Date.now()))
    yield talk.found(differs("body", "one field Expires, with a time to come", found), exchange);
});
