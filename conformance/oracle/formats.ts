const DATE = "\\d{4}-\\d\\d-\\d\\d";
const HOURS = "(?:[01]\\d|2[0-3])";
const ZONE = `(?:[Zz]|[+-]${HOURS}:[0-5]\\d)`;
const DAYS = "(?:\\d+Y)?(?:(?<=^P|Y)\\d+M)?(?:(?<=^P|M)\\d+D)?";
const SECONDS = "(?:\\d+H)?(?:(?<=T|H)\\d+M)?(?:(?<=T|M)\\d+S)?";

/** The formats of JSON Schema that are about the text of a value. */
const FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ["date-time", new RegExp(`^${DATE}[Tt]${HOURS}:[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?${ZONE}$`)],
  ["date", new RegExp(`^${DATE}$`)],
  ["duration", new RegExp(`^P(?:\\d+W|(?=[\\dT])${DAYS}(?:T(?=\\d)${SECONDS})?)$`)],
  ["email", /^[^\s@]+@[^\s@]+$/],
  ["uri", /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/],
  ["uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
]);

/** The form of a text of this format; undefined where it has none. */
export const formOf = (format = ""): RegExp | undefined => FORMATS.get(format);

/** The formats that say how a value is stored or shown: they assert nothing of it. */
const STORED = new Set(
  "password decimal double float int8 int16 int32 int64 uint8 uint16 uint32 uint64".split(" "),
);

export const isReadFormat = (format: string): boolean => FORMATS.has(format) || STORED.has(format);

const isoOf = (text: string): string => {
  const date = new Date(text.toUpperCase());
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
};

/**
 * D8, D9: whether a text of the format `date` or `date-time` is a day of the calendar, which `Date`
 * alone would move to the next month, and has a second 60 only at the end of June or December in
 * UTC (RFC 3339, 5.7).
 */
export function isOnCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  if (!isoOf(`${day}T00:00:00Z`).startsWith(day)) return false;
  return (
    !text.includes(":60") || /(?:06-30|12-31)T23:59:59/.test(isoOf(text.replace(":60", ":59")))
  );
}

/** D9: RFC 3339, of any offset. */
export const isDateTime = (text: string): boolean =>
  formOf("date-time")?.test(text) === true && isOnCalendar(text);
