import { check } from "../checks/check.ts";
import { expectRefusedAs } from "../checks/probe.ts";
import { describe, expectStatus, fail } from "../client/expect.ts";

/** `/.well-known/security.txt` (D11, RFC 9116), where there is one. */
export const securityTxt = check("http/security-txt", { decided: true }, async (api) => {
  const reply = await api.request({ method: "GET", target: "/.well-known/security.txt" });
  if (reply.status === 404) return expectRefusedAs(reply, "path-not-found");
  expectStatus(reply, 200);
  if (reply.mediaType !== "text/plain") fail("header:content-type", "text/plain", describe(reply));
  const values = (name: string) =>
    [...reply.text.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)`, "gim"))].map((m) => m[1]);
  if (values("contact").length === 0) fail("body", "a field Contact", describe(reply));
  const [expires = "", ...more] = values("expires");
  if (more.length > 0 || !(Date.parse(expires) > Date.now()))
    fail("body", "one field Expires, with a time to come", describe(reply));
});
