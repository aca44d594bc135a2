const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** A request target in two parts, both exactly as they were sent. */
export interface Target {
  readonly path: string;
  /** What follows the first `?`, without it; empty when there is none. */
  readonly search: string;
}

/**
 * Splits a request target in origin-form or absolute-form (RFC 9112 3.2) without decoding anything, so that no two
 * spellings of a path are one. Other forms (`*`, `host:port`) come back whole: a path that never exists.
 */
export function splitTarget(url: string): Target {
  const local = url.replace(ABSOLUTE_FORM, "");
  if (local === url && !url.startsWith("/")) return { path: url, search: "" };
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: path || "/", search: mark < 0 ? "" : local.slice(mark + 1) };
}
