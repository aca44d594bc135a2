/** A name as a token of a JSON pointer (RFC 6901, 3). */
export const tokenOf = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The pointer as a URI fragment (RFC 6901, 6); a lone surrogate becomes U+FFFD. */
export const fragmentOf = (name: string): string =>
  encodeURI(tokenOf(name).replace(/\p{Cs}/gu, "\ufffd")).replaceAll("#", "%23");

/** Whether the place of a fault is a pointer; any other is the name of a parameter. */
export const isPointer = (place: string): boolean => /^#(?:\/|$)/.test(place);
