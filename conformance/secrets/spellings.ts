/** From an ASCII character to the same in full width (U+FF01 and those after it). */
const FULL_WIDTH = 0xfee0;

/**
 * Raw, percent-encoded (as a component, as a form, every byte, that once more, either letter case),
 * JSON-escaped, base64, base64url, and in full-width letters.
 */
export function spellings(given: string): Set<string> {
  const value = Buffer.from(given).toString(); // a lone surrogate has no encoding on the wire
  const component = encodeURIComponent(value);
  const form = new URLSearchParams({ "": value }).toString().slice(1);
  const strict = component.replace(/[!'()*]/g, percent);
  const every = Buffer.from(value).toString("hex").toUpperCase().replace(/../g, "%$&");
  const wide = value.replace(/[!-~]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH),
  );
  const twice = every.replaceAll("%", "%25");
  const encoded = [component, form, encodeURI(value), strict, every, encodeURIComponent(wide)];
  const lower = encoded.map((text) => text.replace(/%../g, (hex) => hex.toLowerCase()));
  const otherSpellings = [JSON.stringify(value).slice(1, -1), wide, twice, twice.toLowerCase()];
  return new Set([value, ...otherSpellings, ...encoded, ...lower, ...base64(Buffer.from(value))]);
}

/**
 * A value inside a longer base64 text starts at any of three alignments. Characters that also hold
 * bits of its neighbours are left out: the rest is the same in every context.
 */
function base64(value: Buffer): string[] {
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), value])
      .toString("base64")
      .replace(/=+$/, "");
    const shared = (before + value.length) % 3 === 0 ? 0 : 1;
    return text.slice(Math.ceil((before * 8) / 6), text.length - shared);
  });
  const plain = value.toString("base64");
  const all = [plain, plain.replace(/=+$/, ""), ...inner];
  return [...all, ...all.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

export const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
