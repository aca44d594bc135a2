/** JSON of a row; a member without a value is absent (D9), and in the row of a table it is null. */
export const parseRow = (json: string) => withoutNull(JSON.parse(json));

/** The same of a list of rows. */
export const parseRows = (json: string) => JSON.parse(json).map(withoutNull);

/** What a member holds stays as it is: null is a value of free JSON. */
function withoutNull<Row extends Record<string, unknown>>(row: Row): Row {
  for (const [name, value] of Object.entries(row)) if (value === null) delete row[name];
  return row;
}
