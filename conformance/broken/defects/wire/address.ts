import { caught } from "../../caught.ts";
import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, operationOf, pathOf } from "../../look.ts";
import { respondProblem, withJson } from "../../shape.ts";

/** Another `clientAddress`, where there is one; null leaves it. */
const addressed = (address: (request: ProxyRequest, known: string) => string | null): Pick<Defect, "answer"> => ({
  answer: (answer, request) => {
    if (operationOf(request) !== "sysinfo" && pathOf(request) !== "/") return answer;
    return withJson(answer, (json) =>
      "clientAddress" in json
        ? { ...json, clientAddress: address(request, String(json.clientAddress)) ?? json.clientAddress }
        : json,
    );
  },
});

const forwarded = (request: ProxyRequest) => header(request, "X-Forwarded-For");
const entries = (request: ProxyRequest) => (forwarded(request) ?? "").split(",").map((entry) => entry.trim());

const address = (id: string, description: string, change: Parameters<typeof addressed>[0]) =>
  caught(`sysinfo/address-${id}`, description, ["sysinfo/client-address"], /address/, addressed(change));
const forged = (id: string, description: string, variants: readonly string[], hooks: Pick<Defect, "answer">) =>
  caught(
    `sysinfo/forwarded-${id}`,
    description,
    variants.map((variant) => `sysinfo/forwarded-for${variant}`),
    /clientAddress|200/,
    hooks,
  );

const ALL = [
  "#one-address",
  "#several-addresses",
  "#ipv6",
  "#with-a-port",
  "#mapped",
  "#loopback",
  "#garbage",
  "#sent-twice",
];

export const addressDefects: readonly Defect[] = [
  address("mapped", "Shows an IPv4 address as its socket has it.", (_request, known) => `::ffff:${known}`),
  address("with-port", "Shows the port beside the address.", (_request, known) => `${known}:50000`),
  address("unknown", "Shows no address.", () => "unknown"),
  address("name", "Shows a name for the address.", () => "localhost"),
  address("masked", "Masks the address.", (_request, known) => known.replace(/\d+$/, "x").replace(/^::1$/, "::x")),
  caught(
    "sysinfo/address-on-the-page",
    "Shows the mapped address on the landing page.",
    ["sysinfo/client-address#landing"],
    /::ffff:/,
    addressed((request) => (pathOf(request) === "/" ? "::ffff:127.0.0.1" : null)),
  ),
  caught(
    "sysinfo/address-hidden-with-a-key",
    "Shows no address to whoever sends a key.",
    ["sysinfo/client-address#with-credentials"],
    /address/,
    addressed((request) => (header(request, "X-API-KEY") ? "hidden" : null)),
  ),
  forged(
    "first-believed",
    "Believes the first entry of X-Forwarded-For.",
    ALL,
    addressed((request) => (forwarded(request) === null ? null : (entries(request)[0] ?? null))),
  ),
  forged(
    "last-believed",
    "Believes the last entry of X-Forwarded-For, without a proxy in front.",
    ALL,
    addressed((request) => (forwarded(request) === null ? null : (entries(request).at(-1) ?? null))),
  ),
  forged("whole", "Shows X-Forwarded-For as it is.", [...ALL, "#empty"], addressed(forwarded)),
  forged(
    "emptied",
    "Takes an empty entry of X-Forwarded-For for an address.",
    ["#empty"],
    addressed((request) => (entries(request).length > 1 ? (entries(request)[0] ?? null) : null)),
  ),
  forged("crashes", "Breaks at an X-Forwarded-For without addresses.", ["#garbage", "#empty"], {
    answer: (answer, request) =>
      /not-an|^[ ,]+$/.test(forwarded(request) ?? "") ? respondProblem(500, "internal-error") : answer,
  }),
  forged(
    "real-ip",
    "Believes X-Real-IP.",
    ["#by-another-name"],
    addressed((request) => header(request, "X-Real-IP")),
  ),
  forged(
    "cloud",
    "Believes CF-Connecting-IP.",
    ["#by-another-name"],
    addressed((request) => header(request, "CF-Connecting-IP")),
  ),
  forged(
    "standard",
    "Believes Forwarded.",
    ["#by-another-name"],
    addressed((request) => /for=([\d.]+)/.exec(header(request, "Forwarded") ?? "")?.[1] ?? null),
  ),
];
