import type { CsvFile, CsvRecord } from './csv.ts';

/** One row of the file: what is sent, and why it cannot be sent. */
export interface ImportRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly member: Readonly<Record<string, string | number>>;
  readonly mistake: string | null;
}

/** The place of each column in a row; null when the file has no such column. */
export interface Columns {
  readonly email: number | null;
  readonly role: number | null;
  readonly level: number | null;
  readonly points: number | null;
}

/** A file with its columns. `header` is null when the first line has an address instead of names. */
export interface ImportTable {
  readonly header: readonly string[] | null;
  readonly records: readonly CsvRecord[];
  readonly columns: Columns;
}

const ROLES = ['member', 'moderator'];
const LEVEL_MAX = 100;
const POINTS_MAX = 1_000_000;
const EMAIL_MAX = 254;
/** Every character is visible, and the domain has a dot. The service knows the finer rules. */
const EMAIL = /^[^\s\p{Cc}\p{Cf}\uFFFD@]+@[^\s\p{Cc}\p{Cf}\uFFFD@]+\.[^\s\p{Cc}\p{Cf}\uFFFD@]+$/u;

/** The names of the columns in common exports, without signs and letter case. */
const EMAIL_NAMES = [
  'email',
  'emailaddress',
  'mail',
  'mailaddress',
  'memberemail',
  'useremail',
  'contactemail',
  'email1value',
  'email1',
  'primaryemail',
  'emailadresse',
  'correoelectronico',
];
const ROLE_NAMES = ['role', 'memberrole'];
const LEVEL_NAMES = ['level', 'memberlevel'];
const POINTS_NAMES = ['points', 'memberpoints', 'totalpoints', 'balance'];
const NO_COLUMNS: Columns = { email: null, role: null, level: null, points: null };

/** Finds the columns of a file by their names, or the addresses of a file without names. */
export function findTable({ records }: CsvFile): ImportTable {
  const [first, ...others] = records;
  if (first === undefined) return { header: null, records: [], columns: NO_COLUMNS };
  const names = first.cells.map(toComparableName);
  const email = findName(names, EMAIL_NAMES);
  const address = first.cells.findIndex((cell) => EMAIL.test(cell.trim()));
  if (email === null && address >= 0) return { header: null, records, columns: { ...NO_COLUMNS, email: address } };
  const [role, level, points] = [ROLE_NAMES, LEVEL_NAMES, POINTS_NAMES].map((known) => findName(names, known));
  const columns = { email, role: role!, level: level!, points: points! };
  return { header: first.cells.map((cell) => cell.trim()), records: others, columns };
}

/** An accent does not distinguish names, and neither do signs and letter case. */
function toComparableName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function findName(names: readonly string[], known: readonly string[]): number | null {
  const found = known.map((name) => names.indexOf(name)).find((index) => index >= 0);
  return found ?? null;
}

/** Judges the rows as the service does: an earlier row counts only when it has no mistake. */
export function readRows({ records, columns }: ImportTable): readonly ImportRow[] {
  const seen = new Set<string>();
  return records.map(({ line, cells }) => {
    const pick = (column: number | null) => (column === null ? '' : (cells[column] ?? '').trim());
    const { email, role, level, points } = columns;
    const given = { email: pick(email), role: pick(role), level: pick(level), points: pick(points) };
    const mistake = findMistake(given, seen);
    if (mistake === null) seen.add(toComparableEmail(given.email));
    return { line, cells, member: toMember(given), mistake };
  });
}

type Given = Readonly<Record<keyof Columns, string>>;

/** A level or points that are no number are sent as they are, so that the service refuses the row. */
function toMember({ email, role, level, points }: Given): ImportRow['member'] {
  return {
    email,
    ...(role !== '' && { role }),
    ...(level !== '' && { level: toNumber(level) }),
    ...(points !== '' && { points: toNumber(points) }),
  };
}

function findMistake({ email, role, level, points }: Given, seen: ReadonlySet<string>): string | null {
  if (email.length > EMAIL_MAX || !EMAIL.test(email)) return 'The e-mail address is missing or wrong.';
  if (level !== '' && !(isInteger(level) && Number(level) >= 1 && Number(level) <= LEVEL_MAX))
    return `The level is a whole number from 1 to ${LEVEL_MAX}.`;
  if (points !== '' && !(isInteger(points) && Number(points) <= POINTS_MAX))
    return `The points are a whole number from 0 to ${POINTS_MAX}.`;
  if (role !== '' && !ROLES.includes(role)) return `The role is one of ${ROLES.join(', ')}.`;
  return seen.has(toComparableEmail(email)) ? 'An earlier row has the same address.' : null;
}

function toNumber(text: string): number | string {
  return isInteger(text) ? Number(text) : text;
}

function isInteger(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}

/** A domain has two forms, of which the address of a page has one. */
function toComparableEmail(email: string): string {
  const normalised = email.toLowerCase().normalize('NFC');
  const at = normalised.lastIndexOf('@') + 1;
  const url = `http://${normalised.slice(at)}`;
  return normalised.slice(0, at) + (URL.canParse(url) ? new URL(url).hostname : normalised.slice(at));
}
