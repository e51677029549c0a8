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
}

/** A file with its columns. `header` is null when the first line has an address instead of names. */
export interface ImportTable {
  readonly header: readonly string[] | null;
  readonly records: readonly CsvRecord[];
  readonly columns: Columns;
}

const ROLES = ['member', 'moderator'];
const LEVEL_MAX = 100;
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

/** Finds the columns of a file by their names, or the addresses of a file without names. */
export function findTable({ records }: CsvFile): ImportTable {
  const [first, ...others] = records;
  if (first === undefined) return { header: null, records: [], columns: { email: null, role: null, level: null } };
  const names = first.cells.map(toComparableName);
  const email = findName(names, EMAIL_NAMES);
  const address = first.cells.findIndex((cell) => EMAIL.test(cell.trim()));
  if (email === null && address >= 0)
    return { header: null, records, columns: { email: address, role: null, level: null } };
  const columns = { email, role: findName(names, ROLE_NAMES), level: findName(names, LEVEL_NAMES) };
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
    const [email, role, level] = [pick(columns.email), pick(columns.role), pick(columns.level)];
    const mistake = findMistake({ email, role, level }, seen);
    if (mistake === null) seen.add(toComparableEmail(email));
    return { line, cells, member: toMember({ email, role, level }), mistake };
  });
}

type Given = Readonly<Record<'email' | 'role' | 'level', string>>;

/** A level that is no number is sent as it is, so that the service refuses the row. */
function toMember({ email, role, level }: Given): ImportRow['member'] {
  return {
    email,
    ...(role !== '' && { role }),
    ...(level !== '' && { level: isInteger(level) ? Number(level) : level }),
  };
}

function findMistake({ email, role, level }: Given, seen: ReadonlySet<string>): string | null {
  if (email.length > EMAIL_MAX || !EMAIL.test(email)) return 'The e-mail address is missing or wrong.';
  if (level !== '' && !(isInteger(level) && Number(level) >= 1 && Number(level) <= LEVEL_MAX))
    return `The level is a whole number from 1 to ${LEVEL_MAX}.`;
  if (role !== '' && !ROLES.includes(role)) return `The role is one of ${ROLES.join(', ')}.`;
  return seen.has(toComparableEmail(email)) ? 'An earlier row has the same address.' : null;
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
