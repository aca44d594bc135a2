const shortened = (group: string): string => (group.startsWith("0") ? group.replace(/^0+(?=.)/, "") : group);

/** The unit that is counted: an IPv4 address, or the first 64 bits of an IPv6 address, since one subscriber has all the rest. */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [ip = ""] = address.toLowerCase().split("%", 1);
  const [head = "", tail] = ip.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  // An IPv4 address at the end replaces two groups.
  const length = before.length + after.length + (ip.includes(".") ? 1 : 0);
  const zeros: string[] = tail === undefined ? [] : Array(8 - length).fill("0");
  const [a, b, c, d] = [...before, ...zeros, ...after].map(shortened);
  return `${a}:${b}:${c}:${d}::/64`;
}
