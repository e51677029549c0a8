const GAP = '  ';

/** Returns the lines of a table with aligned columns. The last column is not padded. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : aligned([heads.map((head) => head.toUpperCase()), ...rows]);
}

/** Returns one line for each field: its name and its value. */
export function fields(values: Readonly<Record<string, string | number | null>>): string[] {
  return aligned(Object.entries(values).map(([name, value]) => [name, value === null ? '-' : String(value)]));
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]!.length))) ?? [];
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(GAP)
      .trimEnd(),
  );
}

/** Returns indented JSON without control characters for the terminal. */
export function readable(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** Returns JSON on one line without control characters for the terminal. */
export function oneLine(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** JSON.stringify does not escape these control characters. A JSON parser reads the escapes as the same characters. */
function escaped(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
}

/** Replaces control characters, so that a stored text can neither break the line nor control the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
