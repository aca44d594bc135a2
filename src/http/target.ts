import { Problem } from "../problem.ts";

/** uri-host [ ":" port ], RFC 9110 7.2; an empty host is none. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)/i;

export const isAuthority = (text: string): boolean => AUTHORITY.test(text);

/** A request target in two parts, both as they were sent but for the dot segments of the path. */
export interface Target {
  readonly path: string;
  /** What follows the first `?`, without it; empty when there is none. */
  readonly search: string;
}

/**
 * Splits a request target in origin-form or absolute-form (RFC 9112 3.2) without decoding anything, so that no two
 * spellings of a path are one; only dot segments are removed (D11). Throws `malformed-request` for any other form: `*`,
 * `host:port`, an address of another scheme, or one whose authority is none (D13).
 */
export function splitTarget(url: string): Target {
  const [start = "", authority] = ABSOLUTE_FORM.exec(url) ?? [];
  const local = url.slice(start.length);
  if (authority === undefined ? !url.startsWith("/") : !isAuthority(authority)) throw new Problem("malformed-request");
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: withoutDotSegments(path || "/"), search: mark < 0 ? "" : local.slice(mark + 1) };
}

/** RFC 3986 5.2.4: `/api/user.list/../` is `/api/`, and nothing is above `/`. */
function withoutDotSegments(path: string): string {
  if (!path.includes("/.")) return path;
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  // A dot segment at the end leaves the slash before it.
  if (/\/\.\.?$/.test(path)) kept.push("");
  return `/${kept.join("/")}`;
}
