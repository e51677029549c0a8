const GAP = '  ';

/** Lines of aligned columns below their heads; the last column is as long as it is. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : aligned([heads.map((head) => head.toUpperCase()), ...rows]);
}

/** One line a field, its name before it. */
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

/** Readable JSON that does not speak to the terminal either. */
export function readable(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** The same on one line. */
export function oneLine(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** JSON leaves these control characters as they are, and means the same by their escapes. */
function escaped(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
}

/** What somebody else wrote neither breaks the line nor speaks to the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
