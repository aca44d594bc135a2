import { type Check, check } from "../check.ts";
import { answered } from "../probe.ts";
import { expectSecond } from "./pipelining.ts";
import { expectOutcome, type Field, pipeline, sysinfo } from "./support.ts";

/** `count` fields with different names. */
const fields = (count: number, value = "1") => Array.from({ length: count }, (_, n): Field => [`X-Field-${n}`, value]);

/** The number of header fields belongs to one request, not to its connection (D13). The rest is a list. */
export const headLimits: readonly Check[] = [
  check("http/header-count#next-request", { effect: "hostile" }, async (api) => {
    // The server may close the connection after any response.
    const request = sysinfo(api, { headers: fields(60) });
    const raw = await api.raw(pipeline(api, [request, request, request]), { answers: 3 });
    answered(raw, "three requests on one connection");
    for (const reply of raw.replies) expectOutcome(reply, "sysinfo");
    expectSecond(raw.replies);
  }),
];
