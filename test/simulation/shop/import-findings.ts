import { memberDecider } from '../../../src/community/domain/member.js';
import type { MemberEvent } from '../../../src/community/domain/member-events.js';
import type { ImportResult, ImportRow, MemberImportEvent } from '../../../src/community/domain/member-import.js';
import type { UserEvent } from '../../../src/identity/domain/user.js';
import { extractCategory, fold } from '../../../src/kernel/decider.js';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';

type Requested = Extract<MemberImportEvent, { type: 'MemberImportRequested' }>['data'];
type Recorded = Extract<MemberImportEvent, { type: 'MemberRowsImported' }>['data'];
type Imported = Extract<MemberEvent, { type: 'MemberImported' }>['data'];

/**
 * Finds rows without exactly one result, results that contradict the row or the members, addresses with two members,
 * and members who are still pending after the sign-in with their address.
 */
export function findImportErrors(log: readonly RecordedEvent[]): string[] {
  const imported = dataOf<Imported>(log, 'MemberImported');
  return [
    ...dataOf<Requested>(log, 'MemberImportRequested').flatMap((request) => findWrongResults(request, log, imported)),
    ...findRepeatedAddresses(imported),
    ...findForgottenMembers(log),
  ];
}

function findWrongResults(
  { importId, communityId, rows }: Requested,
  log: readonly RecordedEvent[],
  imported: readonly Imported[],
): string[] {
  const chunks = dataOf<Recorded>(log, 'MemberRowsImported').filter((chunk) => chunk.importId === importId);
  const results = chunks.flatMap((chunk) => chunk.results);
  const starts = chunks.map((_, i) => chunks.slice(0, i).reduce((sum, chunk) => sum + chunk.results.length, 0));
  if (results.length !== rows.length || chunks.some(({ from }, i) => from !== starts[i]))
    return [`${importId} has ${results.length} results of ${rows.length} rows`];

  const own = imported.filter((member) => member.communityId === communityId);
  return rows.flatMap((row, i) => {
    const error = findContradiction(row, results[i]!, { importId, imported: own });
    return error === null ? [] : [`row ${i} of ${importId} ${error}`];
  });
}

/** A valid row has created its member, or has found the member that another import has created. */
function findContradiction(
  row: ImportRow,
  { status, memberId }: ImportResult,
  { importId, imported }: { readonly importId: string; readonly imported: readonly Imported[] },
): string | null {
  if (row.error !== null) return status === 'failed' ? null : `is ${status}, but not valid`;
  const member = imported.find(({ email }) => email?.hash === row.email.hash);
  if (member === undefined || member.memberId !== memberId) return `is ${status}, without its member`;
  return (status === 'created') === (member.importId === importId)
    ? null
    : `is ${status}, but ${member.importId} has created the member`;
}

function findRepeatedAddresses(imported: readonly Imported[]): string[] {
  const groups = Map.groupBy(imported, ({ communityId, email }) => `${communityId} ${email?.hash}`);
  return [...groups].flatMap(([address, own]) =>
    own.length === 1 ? [] : [`${address} was imported ${own.length} times`],
  );
}

function findForgottenMembers(log: readonly RecordedEvent[]): string[] {
  const verified = new Set(
    dataOf<Extract<UserEvent, { type: 'UserEmailVerified' }>['data']>(log, 'UserEmailVerified').map(
      ({ email }) => email.hash,
    ),
  );
  const ofMembers = log.filter(({ stream }) => extractCategory(stream) === memberDecider.category);
  return [...Map.groupBy(ofMembers as RecordedOf<MemberEvent>[], ({ stream }) => stream)].flatMap(([stream, own]) => {
    const member = fold(memberDecider, own);
    const isForgotten = member.status === 'pending' && verified.has(member.email?.hash ?? '');
    return isForgotten ? [`${stream} is pending after the sign-in`] : [];
  });
}

function dataOf<T>(log: readonly RecordedEvent[], type: string): T[] {
  return log.filter((event) => event.type === type).map(({ data }) => data as T);
}
