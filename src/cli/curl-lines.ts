import { type Operation, operations } from "../../generated/operations.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface Credentials {
  readonly key: string;
  readonly platform: string;
}

/** Commands to copy, one for each operation, with the spec's example as input. They alternate between the placements of the credentials (G4). */
export function curlLines(url: string, credentials: Credentials): string[] {
  let turn = 0;
  return Object.values<Operation>(operations).map((operation) => {
    const given = { ...operation.example };
    const name = operation.name.replace(/\{(\w+)\}/g, (_, part: string) => {
      const value = String(given[part]);
      delete given[part];
      return value;
    });
    const query: string[] = [];
    const options: string[] = [];
    if (operation.auth) {
      const placed = place(turn++, credentials);
      query.push(...placed.query);
      options.push(...placed.headers.map((header) => `-H ${quoted(header)}`));
    }
    if (operation.method === "POST") {
      options.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify({ "@": name, data: given }))}`);
    } else {
      query.unshift(
        `@=${name}`,
        ...Object.entries(given).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`),
      );
    }
    return ["curl", ...options, quoted(`${url}/api/?${query.join("&")}`)].join(" ");
  });
}

/** In turn: both in headers, both in the query, the key in a header and the platform in the query. */
function place(turn: number, { key, platform }: Credentials): { headers: string[]; query: string[] } {
  const both = [
    { name: "X-API-KEY", value: key, inHeader: turn % 3 !== 1 },
    { name: "X-PLATFORM", value: platform, inHeader: turn % 3 === 0 },
  ];
  return {
    headers: both.filter(({ inHeader }) => inHeader).map(({ name, value }) => `${name}: ${value}`),
    query: both.filter(({ inHeader }) => !inHeader).map(({ name, value }) => `${name}=${encodeURIComponent(value)}`),
  };
}
