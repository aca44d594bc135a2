import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { field, type Variation } from "./draft.ts";
import { spellings } from "./head.ts";

/** The representation that is asked for (D10; RFC 9110, 12.5.1). */

/** Of two media types that are offered, and the kind of the first. */
const ranges = (one: string, two: string, kind: string) =>
  `${one}|${two}|*/*|${kind}/*|text/*|image/png|*/*;q=0|${one};q=0|${one};q=0, */*|*/*, ${one};q=0|${kind}/*;q=0, ${one}|*/*;q=0, ${one}
${one};q=0.001|${one};q=0.000|${one};q=0.0001|${one};q=1.001|${one};q=2|${one};q=x|${one};q=|${one};q= 1|${one};q=0;q=1|${one};q="0"
${one} ;Q=0|image/png, */*;q=0.1|${two};q=0.9, ${one};q=0.2|${one};q=0.9, ${two};q=1.0|*|json|/|text/html;level=1|image/png;q=x
image/png;q=x, ${one};q=0|text/*;q=0.5, */*;q=0.4|a/b;c="d,e"|a/b;c="${one}"|${one}, , image/png|, ,|image/png, image/jpeg|${one}x
x${one}|application/problem+json|${one};v="\\"", image/png| ${one}|${one};q=00|${one};q=0.0x|${one};q=+1|${one};q=-0
image/png;q=1.0000, text/x|image/png;q=0.1234|text/x;q=.5|${one.toUpperCase()}`.split(/[|\n]/);

export function accept(operation: Operation): readonly Variation[] {
  const [first = "text/html", second = first] = mediaTypesOf(operation);
  const [kind = ""] = first.split("/");
  return [
    ...field("Accept", [...new Set(ranges(first, second, kind))]),
    ...field("Accept", [["image/png", first], ["*/*;q=0", "image/png"], ""]),
    ...spellings("Accept").flatMap((as) => field(as, ["image/png"])),
  ];
}
