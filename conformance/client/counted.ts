/** `1 user`, `2 users`: a number and its noun. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
