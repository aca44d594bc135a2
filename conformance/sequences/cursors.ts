/** Cursors that no server has issued, whatever their form. */

const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");
const base64url = (text: string | Buffer) => Buffer.from(text).toString("base64url");

/** An item's id is no cursor, in any spelling. */
const ofItem = (id: string) => {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  const json = [{ id }, id, { after: id }].map((one) => JSON.stringify(one));
  const all = [id, bytes, ...json].flatMap((one) => [base64(one), base64url(one)]);
  return [id, id.toUpperCase(), bytes.toString("hex"), ...all];
};

/** `word`: of the run; `id`: of an item. */
export const madeUp = (word: string, id: string): readonly string[] => [
  ..."x 0 1 50 -1 1e3 null undefined true not-a-cursor AAAA ==== !!!! % * __proto__ constructor [] MQ== NTA=".split(
    " ",
  ),
  ...[word, "", " ", "' OR '1'='1", "1; DROP TABLE users; --", '{"id":1}', "../../etc/passwd", "\0", "a\r\nb"],
  ...["\u00e9", "\u{1f600}", "00000000-0000-0000-0000-000000000000", "2026-01-01T00:00:00.000Z", "a".repeat(4000)],
  ...[base64url(Buffer.alloc(20)), base64url(Buffer.alloc(24, 255))],
  ...[...ofItem("019c1395-e200-7000-8000-0123456789ab"), ...ofItem(id)].filter((one) => one !== ""),
];

const swapCase = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** Values that differ slightly from an issued cursor. */
export function nearMisses(cursor: string): readonly string[] {
  const { length } = cursor;
  const middle = Math.floor(length / 2);
  const changed = (at: number) => cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);
  return [
    ...[cursor.slice(0, -1), cursor.slice(1), cursor.slice(0, middle), cursor.slice(middle), cursor + cursor],
    ...["A", "=", "==", " ", "\n", "\0", "."].map((end) => cursor + end),
    ...[` ${cursor}`, `"${cursor}"`, [...cursor].reverse().join(""), base64(cursor)],
    ...[0, Math.floor(length / 4), middle, Math.floor((length * 3) / 4), length - 1].map(changed),
    ...[cursor.replace(/[a-z](?=[^a-z]*$)/i, swapCase), cursor.replace(/[a-z]/i, swapCase)],
    ...[cursor.toUpperCase(), cursor.toLowerCase()],
    // The last character of base64 may have unused bits: another spelling of them is no issued cursor either.
    ...[..."BCDEFGHIJKLMNOPQ"].map((letter) => cursor.slice(0, -1) + letter),
  ];
}
