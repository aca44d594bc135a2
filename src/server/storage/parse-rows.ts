/** JSON of rows; a member without a value is absent (D9), and in the row of a table it is null. */
export const parseRows = (json: string) =>
  JSON.parse(json, (_, value: unknown) => value ?? undefined);
