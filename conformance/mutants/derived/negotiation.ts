import { every } from "../../client/operation.ts";
import { answersItself, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { header } from "../proxy/look.ts";
import { respondProblem, withHeader } from "../proxy/shape.ts";
import { called } from "../requests.ts";

/** Broken negotiation: what a wrong reader makes of `Accept` and of the headers of a body. */

const NOT_JSON = "image/x-none";

/** Readings of an Accept, by what the right one would be had it said something else. */
const accepts: Readonly<Record<string, (accept: string) => string>> = {
  "passes over q": (accept) => accept.replace(/;\s*q=[\d.]+/gi, ""),
  "passes over q=0": (accept) => accept.replace(/;\s*q=0(\.0+)?(?=\s*(,|$))/gi, ""),
  "takes q=0 of one for all": (accept) => (/q=0(\.0*)?(?![.\d])/i.test(accept) ? NOT_JSON : accept),
  "looks at the first only": (accept) => accept.split(",")[0] ?? "",
  "looks at the last only": (accept) => accept.split(",").at(-1)?.trim() ?? "",
  "knows no */*": (accept) => (accept.includes("*/*") ? accept.replaceAll("*/*", NOT_JSON) : accept),
  "knows no type/*": (accept) => accept.replace(/\w+\/\*/g, NOT_JSON),
  "knows no parameters": (accept) => accept.replace(/;\s*(?!q=)[^,;]+/gi, ""),
  "minds letter case": (accept) => (/[A-Z]/.test(accept.replace(/;.*/, "")) ? NOT_JSON : accept),
  "minds blanks": (accept) => (/\s/.test(accept) ? NOT_JSON : accept),
  "takes a suffix for the type": (accept) => accept.replace(/application\/[\w.-]+\+json/gi, "application/json"),
  "takes a longer name for the type": (accept) => accept.replace(/application\/json[\w-]+/gi, "application/json"),
  "takes text/html for everything": (accept) => (accept.includes("text/html") ? "*/*" : accept),
  "looks at the first ten only": (accept) => accept.split(",").slice(0, 10).join(),
  "minds other parameters": (accept) => (/;\s*(?!q=|charset)\w+=/i.test(accept) ? NOT_JSON : accept),
  "minds a charset": (accept) => (/charset=(?!utf-8)/i.test(accept) ? NOT_JSON : accept),
  "splits within quotes": (accept) => (/"[^"]*[;,][^"]*"/.test(accept) ? NOT_JSON : accept),
  "takes a bad weight for 1": (accept) => accept.replace(/;\s*q=(?![01]?(\.\d{0,3})?\s*(,|;|$))[^,;]*/gi, ""),
  "prefers JSON": (accept) =>
    /json|\*\/\*|application\/\*/.test(accept) && !/json\s*;\s*q=0(\.0*)?(?![.\d])/.test(accept)
      ? "application/json"
      : accept,
  "prefers the more general": (accept) => (accept.includes("*/*") ? "*/*" : accept),
};

const everywhere = Object.entries(accepts).map(([how, read]) =>
  takesFor(
    `Accept: ${how}`,
    (request) => {
      const accept = header(request, "Accept");
      if (accept === null || read(accept) === accept || called(request) === null) return request;
      return withHeader(request, "Accept", read(accept));
    },
    [...OUTCOME, "header:content-type"],
  ),
);

/** Readings of a body's Content-Type. */
const contentTypes: Readonly<Record<string, (type: string) => string>> = {
  "takes a suffix for it": (type) => type.replace(/application\/[\w.-]+\+json/i, "application/json"),
  "takes a longer name for it": (type) => type.replace(/application\/json[\w-]+/i, "application/json"),
  "takes text/json for it": (type) => type.replace(/text\/(json|plain)/i, "application/json"),
  "takes a form for it": (type) =>
    type.replace(/application\/x-www-form-urlencoded|multipart\/form-data.*/i, "application/json"),
  "takes utf8 for UTF-8": (type) => type.replace(/charset="?utf8\b"?/i, "charset=utf-8"),
  "passes over the charset": (type) => type.replace(/;.*$/s, ""),
  "passes over parameters": (type) => type.replace(/;\s*(?!charset=)[^;]*/gi, ""),
  "minds letter case": (type) => (/[A-Z]/.test(type) ? "text/x-none" : type),
  "minds a charset": (type) => (/;/.test(type) ? "text/x-none" : type),
  "minds quotes": (type) => (type.includes('"') ? "text/x-none" : type),
  "minds blanks": (type) => (/\s/.test(type) ? "text/x-none" : type),
  "looks at the first of a list": (type) => type.split(",")[0] ?? "",
  "looks at the last of a list": (type) => type.split(",").at(-1)?.trim() ?? "",
  "looks for it anywhere": (type) => (type.includes("application/json") ? "application/json" : type),
  "takes none for it": (type) => type || "application/json",
  "takes every charset of Unicode": (type) => type.replace(/charset="?utf-(?!8"?$).*/i, "charset=utf-8"),
  "takes the charsets of the West": (type) =>
    type.replace(/charset="?(iso-8859|us-ascii|latin1|windows).*/i, "charset=utf-8"),
  "minds the letter case of a charset": (type) => (/UTF/.test(type) ? "text/x-none" : type),
  "takes any for it": () => "application/json",
};

const bodies = Object.entries(contentTypes).map(([how, read]) =>
  takesFor(`Content-Type: ${how}`, (request) => {
    const type = header(request, "Content-Type") ?? "";
    return request.method !== "POST" || read(type) === type ? request : withHeader(request, "Content-Type", read(type));
  }),
);

const operations = every.map((operation) =>
  answersItself(`${operation.id} is never acceptable by name`, [...OUTCOME, "header:content-type"], (request) =>
    called(request)?.id === operation.id && header(request, "Accept") === "application/json"
      ? respondProblem(406, "not-acceptable")
      : null,
  ),
);

export const mutants: readonly Mutant[] = [...everywhere, ...bodies, ...operations];
