import type { ProxyRequest } from "../../defect.ts";

/** Words for defects in reading the body of a POST. */

/** What the text says in JSON; undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const textOf = ({ body }: ProxyRequest): string => body.toString();

/** A POST whose body is no JSON, read by other rules; `read` returns null for what it cannot read either. */
export const readingAs = (read: (text: string) => string | null) => (request: ProxyRequest) => {
  const text = textOf(request);
  if (request.method !== "POST" || parse(text) !== undefined) return request;
  const better = read(text);
  return better === null || better === text ? request : { ...request, body: Buffer.from(better) };
};

/** A POST whose body is changed as text. */
export const rewriting = (change: (text: string) => string) => (request: ProxyRequest) => {
  if (request.method !== "POST") return request;
  const text = textOf(request);
  const changed = change(text);
  return changed === text ? request : { ...request, body: Buffer.from(changed) };
};

/** How deep brackets nest outside strings. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const token of text.replace(/"(?:[^"\\]|\\.)*"/gs, "")) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
