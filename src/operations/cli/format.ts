const COLUMN_GAP = '  ';
/** Control characters, line separators, and the bidirectional controls. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Returns the lines of a table with aligned columns. The last column is not padded. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : alignColumns([heads.map((head) => head.toUpperCase()), ...rows]);
}

/** Returns one line for each field: its name and its value. */
export function formatFields(values: Readonly<Record<string, string | number | null>>): string[] {
  return alignColumns(Object.entries(values).map(([name, value]) => [name, value === null ? '-' : String(value)]));
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(replaceControlCharacters));
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]!.length))) ?? [];
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(COLUMN_GAP)
      .trimEnd(),
  );
}

/** Returns indented JSON without control characters for the terminal. */
export function formatJson(value: unknown): string {
  return escapeControlCharacters(JSON.stringify(value, null, 2));
}

/** Returns JSON on one line without control characters for the terminal. */
export function formatJsonLine(value: unknown): string {
  return escapeControlCharacters(JSON.stringify(value));
}

/** JSON.stringify does not escape these control characters. A JSON parser reads the escapes as the same characters. */
function escapeControlCharacters(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Replaces control characters, and those that reverse or hide text, so that a stored text can neither break the line nor
 * control the terminal.
 */
export function replaceControlCharacters(text: string): string {
  return text.replace(HIDDEN, ' ');
}
