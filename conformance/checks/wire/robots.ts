import { describe, expectStatus, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";

/** `/robots.txt` (D11). */
export const robots: readonly Check[] = [
  check("http/robots#get", {}, async (api) => {
    const reply = await api.request({ method: "GET", target: "/robots.txt" });
    expectStatus(reply, 200);
    if (reply.mediaType !== "text/plain") fail("body", "text/plain", describe(reply));
    if (!/^(user-agent|#|sitemap)/im.test(reply.text)) fail("body", "the lines of a robots.txt", describe(reply));
  }),
  check("http/robots#head", {}, async (api) => {
    const reply = await api.request({ method: "HEAD", target: "/robots.txt" });
    expectStatus(reply, 200);
    if (reply.mediaType !== "text/plain") fail("header:etag", "text/plain", describe(reply));
  }),
  check("http/robots-etag", {}, async (api) => {
    const get = (tag: string) =>
      api.request({ method: "GET", target: "/robots.txt", headers: [["If-None-Match", tag]] });
    const tag = (await get('"other"')).header("etag") ?? fail("header:etag", "an ETag", "none");
    const unchanged = await get(tag);
    if (unchanged.status !== 304 || unchanged.body.length > 0)
      fail("status", "304 without a body", describe(unchanged));
  }),
];
