import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { type DeclaredOperation, findDeclaredOperation, listDeclaredOperations } from './declared-codes.js';
import { UNANSWERED_CODES } from './unanswered-codes.js';

/** The file to which the workers of a whole run write the codes that operations answer. */
const FILE = process.env.ANSWERED_CODES_FILE;

const recorded = new Set<string>();

/**
 * Records the code of a problem for the check at the end of a whole run.
 * @throws Error when the operation does not declare the code
 */
export function recordAnswer(method: string, path: string, code: string): void {
  const operation = findDeclaredOperation(method, path);
  if (operation === null) return;
  if (!operation.codes.has(code))
    throw new Error(`${method} ${path} answers ${code}, which the operation does not declare`);
  const answer = `${operation.name} ${code}`;
  if (FILE === undefined || recorded.has(answer)) return;
  recorded.add(answer);
  appendFileSync(FILE, `${answer}\n`);
}

/** Returns what is wrong with the codes of the operations after a whole run, by name. */
export function checkAnsweredCodes(file: string): string[] {
  const answered = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return compareCodes(listDeclaredOperations(), new Set(answered), UNANSWERED_CODES);
}

/** @param unanswered a reason for each code of an operation that no test sees */
export function compareCodes(
  operations: readonly Pick<DeclaredOperation, 'name' | 'ownCodes'>[],
  answered: ReadonlySet<string>,
  unanswered: Readonly<Record<string, string>>,
): string[] {
  const declared = operations.flatMap(({ name, ownCodes }) => ownCodes.map((code) => `${name} ${code}`));
  const excused = Object.keys(unanswered);
  return [
    ...declared
      .filter((code) => !answered.has(code) && !excused.includes(code))
      .map((code) => `${code}: the operation declares it, and no test sees it`),
    ...excused.filter((code) => answered.has(code)).map((code) => `${code}: a test sees it, so it needs no reason`),
    ...excused.filter((code) => !declared.includes(code)).map((code) => `${code}: no operation declares it`),
  ].sort();
}
