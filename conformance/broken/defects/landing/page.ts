import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { respondProblem, withBody, withHeader, withStatus } from "../../shape.ts";
import { isHtml, landed, page } from "./hooks.ts";

const SHOWS = ["landing/shows#method", "landing/shows#client-address", "landing/shows#runtime"];
const VISIBLE = ["landing/status-and-version#status", "landing/status-and-version#version", ...SHOWS];

export const pageDefects: readonly Defect[] = [
  caught(
    "landing/absent",
    "Has no landing page.",
    [...VISIBLE, "landing/html", "landing/json"],
    /2xx|200/,
    landed(() => respondProblem(404, "path-not-found")),
  ),
  caught(
    "landing/needs-a-key",
    "Refuses the landing page without a key.",
    [...VISIBLE, "landing/html", "landing/json"],
    /2xx|200/,
    landed(() => respondProblem(401, "credentials-missing")),
  ),
  caught(
    "landing/redirects",
    "Redirects to the README.",
    [...VISIBLE, "landing/html"],
    /2xx|200/,
    landed((answer) => withHeader(withStatus(answer, 302), "Location", "api/?@=docs.get.README")),
  ),
  caught(
    "landing/empty",
    "Sends an empty page.",
    [...VISIBLE, "landing/html#default"],
    /page/,
    landed((answer) => (isHtml(answer) ? withBody(answer, "") : answer)),
  ),
  caught(
    "landing/welcome",
    "Sends the page of the web server.",
    VISIBLE,
    /on the page/,
    page(() => "<!doctype html><html><body><h1>It works!</h1></body></html>"),
  ),
  caught(
    "landing/without-status",
    "Does not show the status.",
    ["landing/status-and-version#status"],
    /Operational/,
    page((html) => html.replaceAll("Operational", "")),
  ),
  caught(
    "landing/other-status",
    "Shows the status in lower case.",
    ["landing/status-and-version#status"],
    /Operational/,
    page((html) => html.replaceAll("Operational", "operational")),
  ),
  caught(
    "landing/status-in-the-head",
    "Has the status in the head only.",
    ["landing/status-and-version#status"],
    /Operational/,
    page((html) =>
      html.replaceAll("Operational", "").replace("</head>", "<meta name=status content=Operational></head>"),
    ),
  ),
  caught(
    "landing/without-version",
    "Does not show the version.",
    ["landing/status-and-version#version"],
    /3\.0\.3/,
    page((html) => html.replaceAll("3.0.3", "")),
  ),
  caught(
    "landing/other-version",
    "Shows another version than the title says.",
    ["landing/status-and-version#version"],
    /3\.0\.3/,
    page((html) => html.replace("<dd>3.0.3", "<dd>3.0.30")),
  ),
  caught(
    "landing/without-method",
    "Does not show the method.",
    ["landing/shows#method"],
    /GET/,
    page((html) => html.replace("<dd>GET", "<dd>")),
  ),
  caught(
    "landing/other-method",
    "Shows POST as the method.",
    ["landing/shows#method"],
    /GET/,
    page((html) => html.replace("<dd>GET", "<dd>POST")),
  ),
  caught(
    "landing/without-address",
    "Does not show the client's address.",
    ["landing/shows#client-address"],
    /IP address/,
    page((html) => html.replace(/<dd>(127|::|10|172|192)[\d.:]*/, "<dd>unknown")),
  ),
  caught(
    "landing/any-address",
    "Shows 0.0.0.0 as the client's address.",
    ["landing/shows#client-address"],
    /IP address/,
    page((html) => html.replace(/<dd>(127|::|10|172|192)[\d.:]*/, "<dd>0.0.0.0")),
  ),
  caught(
    "landing/without-runtime",
    "Does not show the runtime.",
    ["landing/shows#runtime"],
    /runtime/,
    page((html) => html.replace(/<dd>Node\.js [\d.]+/, "<dd>")),
  ),
  caught(
    "landing/without-server",
    "Does not show the server software.",
    ["landing/as-sysinfo"],
    /the server of sysinfo/,
    page((html) => html.replaceAll("Atpoint", "Welcome")),
  ),
  caught(
    "landing/address-of-the-proxy",
    "Shows the address of the proxy in front as the client's.",
    ["landing/as-sysinfo"],
    /the clientAddress of sysinfo/,
    page((html) => html.replace(/<dd>(127|::|10|172|192)[\d.:]*/, "<dd>192.0.2.1")),
  ),
  caught(
    "landing/other-runtime",
    "Shows another version of the runtime than sysinfo.",
    ["landing/as-sysinfo"],
    /the runtime of sysinfo/,
    page((html) => html.replace(/Node\.js [\d.]+/, "Node.js 4.0.0")),
  ),
  caught(
    "landing/runtime-without-version",
    "Shows the runtime without its version.",
    ["landing/shows#runtime"],
    /runtime/,
    page((html) => html.replace(/Node\.js [\d.]+/, "Node.js")),
  ),
];
