/** One row of the file: what is sent, and why it cannot be sent. */
export interface ImportRow {
  readonly line: number;
  readonly member: Readonly<Record<string, unknown>>;
  readonly mistake: string | null;
}

export const ROWS_MAX = 500;
const COLUMNS = ['email', 'role', 'level'];
const ROLES = ['member', 'moderator'];
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Reads comma-separated values with a first line that names the columns: email (required), role, level. Others are
 * left out. Quotes follow RFC 4180.
 */
export function readMembers(text: string): readonly ImportRow[] {
  const [header = [], ...lines] = splitCsv(text);
  const names = header.map((name) => name.trim().toLowerCase());
  const seen = new Set<string>();
  return lines
    .map((cells, index) => ({ cells, line: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ cells, line }) => {
      const given = Object.fromEntries(names.map((name, i) => [name, cells[i]?.trim() ?? '']));
      const row = { line, member: toMember(given), mistake: findMistake(given, seen) };
      seen.add((given['email'] ?? '').toLowerCase());
      return row;
    });
}

function toMember(given: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    COLUMNS.flatMap((name) => {
      const value = given[name];
      if (value === undefined || value === '') return [];
      return [[name, name === 'level' ? Number(value) : value]];
    }),
  );
}

function findMistake(
  { email = '', role = '', level = '' }: Readonly<Record<string, string>>,
  seen: ReadonlySet<string>,
): string | null {
  if (!EMAIL.test(email)) return 'The e-mail address is missing or wrong.';
  if (seen.has(email.toLowerCase())) return 'An earlier row has the same address.';
  if (role !== '' && !ROLES.includes(role)) return `The role is one of ${ROLES.join(', ')}.`;
  return level === '' || /^\d+$/.test(level) ? null : 'The level is a whole number.';
}

function splitCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of `${text.replace(/\r\n/g, '\n')}\n`.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g,
  )) {
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}
