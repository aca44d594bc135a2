export const IPV4 =
  /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/g;
export const IPV6 = /(?<![\w:.])(?=[0-9a-f:.]*:[0-9a-f:.]*:)[0-9a-f:]+(?::ffff:[\d.]+)?(?![\w:])/gi;

const DATE = /\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g;
const TIME = /(?<![\w:])\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?![\w:])/g;

/** No part of a time or date is an address or a version. */
export const withoutTimes = (text: string): string => text.replace(DATE, " ").replace(TIME, " ");

export const addressesIn = (text: string): readonly string[] => {
  const rest = withoutTimes(text);
  return [IPV4, IPV6].flatMap((pattern) => rest.match(pattern) ?? []);
};
