/** The meaning of the formats; The validators bundle this module. */

const LEAP_CENTURY = "(?:[02468][048]|[13579][26])00";
const LEAP_YEAR = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|${LEAP_CENTURY})`;
const MONTH_AND_DAY = [
  String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`,
  String.raw`02-(?:0[1-9]|1\d|2[0-8])`,
].join("|");
const DATE = String.raw`(?:\d{4}-(?:${MONTH_AND_DAY})|${LEAP_YEAR}-02-29)`;
const DATE_TIME = new RegExp(
  String.raw`^${DATE}[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?` +
    String.raw`(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$`,
);

/**
 * A time of RFC 3339 with its offset. Second 60 is the last of a day in UTC, of June or December
 * (5.7).
 */
function isDateTime(text: string): boolean {
  const [, hour, minute, second, sign = "+", offsetHours = 0, offsetMinutes = 0] =
    DATE_TIME.exec(text) ?? [];
  if (second !== "60") return second !== undefined;
  const offset = Number(`${sign}1`) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const minuteInUtc = Number(hour) * 60 + Number(minute) - offset;
  // East of Greenwich the next day may have begun.
  return minuteInUtc === 1439
    ? /^....-(06-30|12-31)/.test(text)
    : minuteInUtc === -1 && /^....-0[17]-01/.test(text);
}

/**
 * AJV's standalone code inlines regular expressions, and its strict mode rejects an unknown format.
 */
export const FORMATS = {
  "date-time": isDateTime,
  date: new RegExp(`^${DATE}$`),
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  duration: new RegExp(
    String.raw`^P(?!$)(\d+W|(\d+Y(\d+M(\d+D)?)?|\d+M(\d+D)?|\d+D)?` +
      String.raw`(T(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S))?)$`,
  ),
} as const;
