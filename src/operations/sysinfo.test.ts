import { expect, it } from "vitest";
import { handlerContext } from "../test/services.ts";
import { sysinfo } from "./sysinfo.ts";

it.each(["GET", "HEAD"] as const)(
  "tells the facts of the landing page, and the time, to a %s",
  async (method) => {
    expect(await sysinfo({}, await handlerContext({ method }))).toEqual({
      status: "Operational",
      version: "3.0.3",
      server: "Atpoint",
      runtime: `Node.js ${process.versions.node}`,
      clientAddress: "192.0.2.7",
      requestMethod: method,
      time: "2026-01-31T12:00:00.000Z",
    });
  },
);
