import { hostname } from "node:os";
import { caught } from "../caught.ts";
import type { Defect } from "../defect.ts";
import type { JsonObject } from "../look.ts";
import { withJson } from "../shape.ts";
import { answerOf } from "../when.ts";

const tells = (id: string, description: string, members: JsonObject, reason: RegExp) =>
  caught(`sysinfo/${id}`, description, ["sysinfo/nothing-more"], reason, {
    answer: answerOf("sysinfo", (answer) => withJson(answer, (json) => ({ ...json, ...members }))),
  });

/** A name that could be anything is not held against a deployment. */
const ownName = /^(?=.*[a-z])(?=.*[\d.-]).{6,}$/i.test(hostname()) ? hostname() : "localhost";

/** What `sysinfo` tells of the machine. */
export const tellingDefects: readonly Defect[] = [
  tells(
    "operating-system",
    "Names the operating system in runtime.",
    { runtime: "Node.js 20.19.0 (linux x64)" },
    /an operating system/,
  ),
  tells(
    "windows",
    "Names the operating system in server.",
    { server: "Atpoint on Windows Server 2022" },
    /an operating system/,
  ),
  tells("path", "Names its folder in server.", { server: "Atpoint /srv/atpoint/dist" }, /a path/),
  tells("home", "Names the path of the runtime.", { runtime: "/usr/local/bin/node 20.19.0" }, /a path/),
  tells("drive", "Names a drive in server.", { server: "Atpoint C:\\atpoint" }, /a path/),
  tells("database", "Names its database in server.", { server: "Atpoint (PostgreSQL 16)" }, /a database/),
  tells(
    "database-driver",
    "Names the driver of its database in runtime.",
    { runtime: "Node.js 20.19.0, sqlite3 6.0.1" },
    /a database/,
  ),
  tells("container", "Names its container in server.", { server: "Atpoint@4f2a9c0d1e7b" }, /a host name/),
  tells("internal-name", "Names its host in server.", { server: "Atpoint web-1.eu.internal" }, /a host name/),
  tells(
    "release",
    "Names the release of the kernel.",
    { runtime: "Node.js 20.19.0, Linux 5.15.0-91-generic" },
    /an operating system/,
  ),
  tells(
    "its-own-name",
    "Names its host in runtime.",
    { runtime: `Node.js 20.19.0 on ${ownName}` },
    /nothing of the machine in runtime; got .* on /,
  ),
  tells("environment", "Shows a variable of its environment.", { server: "Atpoint NODE_ENV=production" }, /a variable/),
];
