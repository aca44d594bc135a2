import { expect, it } from "vitest";
import { serve } from "../proof/kits/server.test-kit.ts";
import { securityTxt } from "./security-txt.ts";
import { playAt } from "./sockets.test-kit.ts";

const CREDENTIALS = { full: { key: "k", platform: "web" }, special: {} };
const CONTACT = "Contact: mailto:a@b.example\n";
const [LATER, BEFORE] = [86_400_000, -1].map((ms) => `Expires: ${new Date(Date.now() + ms).toISOString()}\n`);

it.each<readonly [text: string, type: string, aspect: string | null]>([
  [`${CONTACT}${LATER}`, "text/plain; charset=utf-8", null],
  [`${CONTACT}${BEFORE}`, "text/plain", "body"],
  [`${CONTACT}${LATER}${LATER}`, "text/plain", "body"],
  [`${LATER}`, "text/plain", "body"],
  [`${CONTACT}${LATER}`, "text/html", "status"],
])("%j as %s", async (text, type, aspect) => {
  const url = await serve((_, response) => response.writeHead(200, { "Content-Type": type }).end(text));
  const finding = await playAt(url, CREDENTIALS, [securityTxt], { learns: false });
  expect(finding?.aspect ?? null).toBe(aspect);
});
