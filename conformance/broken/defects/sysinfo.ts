import { caught } from "../caught.ts";
import type { Defect } from "../defect.ts";
import { header, type JsonObject } from "../look.ts";
import { withBody, withHeader, withJson } from "../shape.ts";
import { answerOf } from "../when.ts";
import { tellingDefects } from "./sysinfo-tells.ts";

const sysinfo = (change: (json: JsonObject) => JsonObject): Required<Pick<Defect, "answer">> => ({
  answer: answerOf("sysinfo", (answer) => withJson(answer, change)),
});
const says = (members: JsonObject) => sysinfo((json) => ({ ...json, ...members }));
const timed = (change: (time: Date) => string) =>
  sysinfo((json) => ({ ...json, time: change(new Date(String(json.time))) }));
const later = (milliseconds: number) => timed((time) => new Date(time.getTime() + milliseconds).toISOString());

const HOUR = 3_600_000;

export const sysinfoDefects: readonly Defect[] = [
  ...tellingDefects,
  caught("sysinfo/as-html", "Sends the document as text/html.", ["sysinfo/json"], /a JSON media type/, {
    answer: answerOf("sysinfo", (answer) => withHeader(answer, "Content-Type", "text/html")),
  }),
  caught("sysinfo/cut-off", "Cuts the document off.", ["sysinfo/json"], /one JSON text/, {
    answer: answerOf("sysinfo", (answer) => withBody(answer, answer.body.subarray(0, -1))),
  }),
  caught("sysinfo/status-ok", "Reports the status ok.", ["sysinfo/status"], /Operational/, says({ status: "ok" })),
  caught(
    "sysinfo/status-in-lower-case",
    "Reports the status operational.",
    ["sysinfo/status"],
    /Operational/,
    says({ status: "operational" }),
  ),
  caught(
    "sysinfo/status-with-a-blank",
    "Reports the status with a blank behind it.",
    ["sysinfo/status"],
    /Operational/,
    says({ status: "Operational " }),
  ),
  caught(
    "sysinfo/other-version",
    "Reports another version.",
    ["sysinfo/version"],
    /3\.0\.3/,
    says({ version: "3.0.2" }),
  ),
  caught(
    "sysinfo/version-with-v",
    "Reports the version with a v.",
    ["sysinfo/version"],
    /version/,
    says({ version: "v3.0.3" }),
  ),
  caught(
    "sysinfo/version-in-two-numbers",
    "Reports two numbers of the version.",
    ["sysinfo/version"],
    /version/,
    says({ version: "3.0" }),
  ),
  caught(
    "sysinfo/version-of-a-build",
    "Reports the version with a build.",
    ["sysinfo/version"],
    /version/,
    says({ version: "3.0.3+a1b2c3d" }),
  ),
  caught(
    "sysinfo/without-time",
    "Leaves the time out.",
    ["sysinfo/members"],
    /time/,
    sysinfo(({ time: _, ...json }) => json),
  ),
  caught(
    "sysinfo/without-runtime",
    "Leaves the runtime out.",
    ["sysinfo/members"],
    /runtime/,
    sysinfo(({ runtime: _, ...json }) => json),
  ),
  caught(
    "sysinfo/without-address",
    "Leaves the client's address out.",
    ["sysinfo/members"],
    /clientAddress/,
    sysinfo(({ clientAddress: _, ...json }) => json),
  ),
  caught(
    "sysinfo/snake-case",
    "Calls a member client_address.",
    ["sysinfo/members"],
    /client_?[aA]ddress/,
    sysinfo(({ clientAddress, ...json }) => ({ ...json, client_address: clientAddress })),
  ),
  caught(
    "sysinfo/enveloped",
    "Wraps the members in data.",
    ["sysinfo/members"],
    /status|data/,
    sysinfo((json) => ({ data: json })),
  ),
  caught(
    "sysinfo/uptime",
    "Reports how long it has been up.",
    ["sysinfo/members", "sysinfo/nothing-more"],
    /uptime/,
    says({ uptime: 12 }),
  ),
  caught(
    "sysinfo/host-name",
    "Reports the name of its host.",
    ["sysinfo/members", "sysinfo/nothing-more"],
    /hostname/,
    says({ hostname: "web-1" }),
  ),
  caught(
    "sysinfo/blank-server",
    "Reports a blank as the server.",
    ["sysinfo/members"],
    /blank server/,
    says({ server: " " }),
  ),
  caught(
    "sysinfo/null-runtime",
    "Reports null as the runtime.",
    ["sysinfo/members"],
    /runtime/,
    says({ runtime: null }),
  ),
  caught(
    "sysinfo/runtime-without-version",
    "Reports the runtime without its version.",
    ["sysinfo/members"],
    /version/,
    says({ runtime: "Node.js" }),
  ),
  caught(
    "sysinfo/other-method",
    "Reports POST as the method.",
    ["sysinfo/method"],
    /requestMethod/,
    says({ requestMethod: "POST" }),
  ),
  caught(
    "sysinfo/head-as-method",
    "Reports HEAD as the method of a GET.",
    ["sysinfo/method"],
    /GET/,
    says({ requestMethod: "HEAD" }),
  ),
  caught(
    "sysinfo/method-in-lower-case",
    "Reports the method in lower case.",
    ["sysinfo/method"],
    /requestMethod/,
    says({ requestMethod: "get" }),
  ),
  caught("sysinfo/method-overridden", "Believes X-HTTP-Method-Override.", ["sysinfo/method"], /requestMethod/, {
    answer: answerOf("sysinfo", (answer, request) => {
      const override = header(request, "X-HTTP-Method-Override");
      return override ? withJson(answer, (json) => ({ ...json, requestMethod: override })) : answer;
    }),
  }),
  caught(
    "sysinfo/local-time",
    "Reports the local time as if it were UTC.",
    ["sysinfo/time#now"],
    /the time of the answer/,
    later(HOUR),
  ),
  caught(
    "sysinfo/time-ahead",
    "Has a clock that is 30 s ahead.",
    ["sysinfo/time#now"],
    /the time of the answer/,
    later(30_000),
  ),
  caught(
    "sysinfo/time-of-the-build",
    "Reports the time of its build.",
    ["sysinfo/time"],
    /the time of the answer|moves on/,
    says({ time: "2026-01-31T12:00:00.001Z" }),
  ),
  caught(
    "sysinfo/time-of-the-start",
    "Reports the time at which it was asked first.",
    ["sysinfo/time#moves"],
    /moves on/,
    {
      answer: answerOf("sysinfo", (answer, _request, { state }) => {
        const first = state.get("time") ?? new Date(Math.floor(Date.now() / 1000) * 1000 + 1).toISOString();
        state.set("time", first);
        return withJson(answer, (json) => ({ ...json, time: first }));
      }),
    },
  ),
  caught("sysinfo/time-backwards", "Has a clock that runs backwards.", ["sysinfo/time#moves"], /a time after/, {
    answer: answerOf("sysinfo", (answer, _request, { state }) =>
      withJson(answer, (json) => {
        const time = Number(state.get("time") ?? Date.parse(String(json.time))) - 3000;
        state.set("time", time);
        return { ...json, time: new Date(time).toISOString() };
      }),
    ),
  }),
  caught("sysinfo/answers-kept", "Answers what it answered the first time.", ["sysinfo/time#moves"], /moves on/, {
    answer: answerOf("sysinfo", (answer, _request, { state }) =>
      withJson(answer, (json) => {
        // One that stands at a whole second may be a clock of whole seconds.
        const kept = state.get("kept") ?? { ...json, time: String(json.time).replace(/\.\d+Z$/, ".001Z") };
        state.set("kept", kept);
        return kept;
      }),
    ),
  }),
  caught(
    "sysinfo/epoch",
    "Reports the time in milliseconds.",
    ["sysinfo/time"],
    /time/,
    sysinfo((json) => ({ ...json, time: Date.parse(String(json.time)) })),
  ),
  caught(
    "sysinfo/time-with-offset",
    "Reports the time with an offset.",
    ["sysinfo/time"],
    /time/,
    timed((time) => time.toISOString().replace("Z", "+00:00")),
  ),
];
