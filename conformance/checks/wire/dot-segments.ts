import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { every, nameOf } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { expectAllow, inCase } from "../probe.ts";
import { ask, emptyCreate, SYSINFO } from "./support.ts";

/** Spellings of the endpoint; none of them climbs above the base address. */
const ENDPOINT = [
  ...["/api/user.list/../", "/api/no.such.operation/..", "/x/../api/", "/x/y/../../api/", "/api/x/../y/../"],
  ...["/api/./", "/api/.", "/./api/./.", "/api/../api/", "/api/.../../"],
];

const search = SYSINFO.slice(SYSINFO.indexOf("?"));

/** `.` and `..` in a path (RFC 3986, 5.2.4): clients remove them, or leave it to the deployment (D11). */
export const dotSegments: readonly Check[] = [
  check("http/dot-segments#endpoint", {}, async (api) => {
    for (const path of ENDPOINT)
      await inCase(path, async () => expectSuccess(await ask(api, "GET", path + search), "sysinfo"));
  }),
  check("http/dot-segments#choose-nothing", {}, async (api) => {
    for (const operation of every) {
      const path = `/api/${nameOf(operation)}/../`;
      await inCase(path, async () => {
        expectSuccess(await ask(api, "GET", path + search), "sysinfo");
        expectProblem(await ask(api, "GET", path), 400, "operation-missing");
        expectProblem(await ask(api, "POST", path, "{}"), 400, "operation-missing");
      });
    }
  }),
  check("http/dot-segments#every-method", {}, async (api) => {
    const path = "/api/user.create/../";
    expectProblem(await ask(api, "POST", path, emptyCreate), 401, "credentials-missing", "user.create");
    expectStatus(await ask(api, "HEAD", path + search), 200);
    const options = await ask(api, "OPTIONS", path);
    expectStatus(options, 204);
    expectAllow(options, "GET", "HEAD", "POST", "OPTIONS");
  }),
  check("http/dot-segments#other-paths", {}, async (api) => {
    for (const path of ["/x/../robots.txt", "/./openapi.json", "/api/..", "/api/../"])
      expectStatus(await ask(api, "GET", path), 200);
    expectProblem(await ask(api, "GET", "/api/../no-such-path"), 404, "path-not-found");
    await expectRedirected(api, "/x/../api");
  }),
];

/** The relative address leads to the endpoint from where it was asked, dot segments and all. */
async function expectRedirected(api: Api, path: string): Promise<void> {
  const reply = await ask(api, "GET", path + search);
  const there = new URL(reply.header("location") ?? "", api.url + path).href;
  if (reply.status !== 308 || there !== api.url + SYSINFO)
    fail("body", `a redirect to ${SYSINFO}`, `${describe(reply)}, ${there}`);
}
