import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer } from "../../defect.ts";
import { header, namedIn, operationOf, pathOf } from "../../look.ts";
import { withAddedHeader, withHeader, withoutHeader } from "../../shape.ts";
import { everywhere, where } from "./everywhere.ts";

const area = "http";
const isRefusal = ({ status }: ProxyAnswer) => status >= 400;

/** A header that every answer has: what it is like when one forgets it here or there. */
function forgotten(requirement: string, name: string, reason: RegExp): readonly Defect[] {
  const id = requirement.replace("/", "/no-").replace("no-no-", "no-");
  const without = (answer: ProxyAnswer) => withoutHeader(answer, name);
  const defect = (
    where: string,
    description: string,
    variants: readonly string[],
    hooks: Parameters<typeof caught>[4],
  ) =>
    caught(
      `${id}-${where}`,
      description,
      variants.map((variant) => requirement + variant),
      reason,
      hooks,
    );
  return [
    defect("anywhere", `Never sends ${name}.`, ["#answers", "#refusals", "#all-answers"], everywhere(without)),
    defect("in-refusals", `Sends ${name} with successes alone.`, ["#answers", "#refusals"], where(isRefusal, without)),
    defect("in-early-refusals", `Sends ${name} only where its framework answers.`, ["#refusals"], {
      unreadableAnswer: without,
    }),
    defect("on-unknown-paths", `Forgets ${name} where nothing is served.`, ["#answers"], {
      answer: (answer, request) => (pathOf(request) === "/no-such-path" ? without(answer) : answer),
    }),
    defect("on-options", `Forgets ${name} on OPTIONS.`, ["#answers"], {
      answer: (answer, { method }) => (method === "OPTIONS" ? without(answer) : answer),
    }),
    defect(
      "on-redirects",
      `Forgets ${name} when it redirects.`,
      ["#answers"],
      where(({ status }) => status === 308, without),
    ),
    defect("on-head", `Forgets ${name} on HEAD.`, ["#answers"], {
      answer: (answer, { method }) => (method === "HEAD" ? without(answer) : answer),
    }),
    defect(
      "on-413",
      `Forgets ${name} when a body is too large.`,
      ["#refusals"],
      where(({ status }) => status === 413, without),
    ),
    defect(
      "on-417",
      `Forgets ${name} when it cannot meet an expectation.`,
      ["#refusals"],
      where(({ status }) => status === 417, without),
    ),
    defect(
      "on-431",
      `Forgets ${name} when headers are too large.`,
      ["#refusals"],
      where(({ status }) => status === 431, without),
    ),
    defect("on-one-operation", `Forgets ${name} in one operation.`, ["#answers"], {
      answer: (answer, request) => (operationOf(request) === "test.health" ? without(answer) : answer),
    }),
  ];
}

const cacheable = ["/openapi.json", "/openapi.yaml", "/robots.txt"];

export const answerHeaderDefects: readonly Defect[] = [
  ...forgotten("http/nosniff", "X-Content-Type-Options", /nosniff/),
  ...forgotten("http/referrer-policy", "Referrer-Policy", /no-referrer/),
  ...forgotten("http/no-store", "Cache-Control", /no-store/),
  ...forgotten("http/request-id", "X-Request-Id", /X-Request-Id/),
  ...forgotten("cors/any-origin", "Access-Control-Allow-Origin", /Allow-Origin/),
  ...forgotten("cors/exposed", "Access-Control-Expose-Headers", /Expose-Headers/),
  // Beside the document and the contract, that have a tag, these are all that may be kept.
  ...["nosniff", "referrer-policy"].flatMap((name) => {
    const field = name === "nosniff" ? "X-Content-Type-Options" : "Referrer-Policy";
    return [
      caught(
        `http/${name}-on-304`,
        `Forgets ${field} with 304.`,
        [`http/${name}#answers`],
        /304/,
        where(
          ({ status }) => status === 304,
          (answer) => withoutHeader(answer, field),
        ),
      ),
      caught(`http/${name}-on-files`, `Forgets ${field} with its files.`, [`http/${name}#answers`], /robots|openapi/, {
        answer: (answer, request) => (cacheable.includes(pathOf(request)) ? withoutHeader(answer, field) : answer),
      }),
    ];
  }),
  caught(
    "http/sniff-allowed",
    "Sends a nosniff that is none.",
    ["http/nosniff"],
    /nosniff/,
    everywhere((answer) => withHeader(answer, "X-Content-Type-Options", "none")),
  ),
  caught(
    "http/referrer-sent",
    "Lets browsers tell other sites of its addresses.",
    ["http/referrer-policy"],
    /no-referrer/,
    everywhere((answer) => withHeader(answer, "Referrer-Policy", "strict-origin-when-cross-origin")),
  ),
  caught(
    "http/stored",
    "Lets every answer be stored.",
    ["http/no-store"],
    /no-store/,
    everywhere((answer) => withHeader(answer, "Cache-Control", "public, max-age=60")),
  ),
  caught(
    "http/revalidated",
    "Says no-cache for no-store.",
    ["http/no-store"],
    /no-store/,
    everywhere((answer) => withHeader(answer, "Cache-Control", "no-cache")),
  ),
  caught(
    "http/list-stored",
    "Lets the list of users be stored.",
    ["http/no-store#answers", "http/no-store#by-get-and-head"],
    /no-store/,
    {
      answer: (answer, request) =>
        operationOf(request) === "user.list" && answer.status === 200
          ? withHeader(answer, "Cache-Control", "private, max-age=60")
          : answer,
    },
  ),
  caught("http/landing-stored", "Lets the landing page be stored.", ["http/no-store#answers"], /no-store/, {
    answer: (answer, request) =>
      pathOf(request) === "/" ? withHeader(answer, "Cache-Control", "public, max-age=300") : answer,
  }),
  caught(
    "http/missing-document-stored",
    "Lets the refusal of an unknown document be stored.",
    ["http/no-store#answers"],
    /no-store/,
    {
      answer: (answer, request) =>
        namedIn(request)?.startsWith("docs.get.") && isRefusal(answer)
          ? withHeader(answer, "Cache-Control", "public, max-age=300")
          : answer,
    },
  ),
  ...["Server", "X-Powered-By", "Set-Cookie"].flatMap((name) => {
    const value = name === "Set-Cookie" ? "session=1; Path=/" : "Koa";
    const banner = (answer: ProxyAnswer) => withAddedHeader(answer, name, value);
    const id = `${area}/${name.toLowerCase()}`;
    return [
      caught(
        `${id}-anywhere`,
        `Sends ${name} with every answer.`,
        ["http/no-banner"],
        new RegExp(name),
        everywhere(banner),
      ),
      caught(
        `${id}-in-refusals`,
        `Sends ${name} with refusals.`,
        ["http/no-banner#answers", "http/no-banner#refusals"],
        new RegExp(name),
        where(isRefusal, banner),
      ),
      caught(
        `${id}-in-early-refusals`,
        `Sends ${name} where its framework does not answer.`,
        ["http/no-banner#refusals"],
        new RegExp(name),
        { unreadableAnswer: banner },
      ),
      caught(`${id}-on-pages`, `Sends ${name} with its landing page.`, ["http/no-banner#answers"], new RegExp(name), {
        answer: (answer, request) => (pathOf(request) === "/" ? banner(answer) : answer),
      }),
    ];
  }),
  caught("http/cookie-with-a-key", "Sets a cookie for whoever has a key.", ["http/no-banner#answers"], /Set-Cookie/, {
    answer: (answer, request) =>
      header(request, "X-API-KEY") ? withAddedHeader(answer, "Set-Cookie", "known=1") : answer,
  }),
];
