import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

export interface ImportError {
  readonly code: string;
  readonly detail: string;
  /** `members[2].email` */
  readonly field: string;
}

/** A row as it was sent; an absent level or role stays as it is. Rows of earlier versions have no `points`. */
export interface ValidRow {
  readonly email: EncryptedField;
  readonly level: number | null;
  readonly role: 'moderator' | 'member' | null;
  readonly points?: number | null;
  readonly error: null;
}

/** A row that is not imported. A text that is no address is not kept: nobody could forget it. */
interface InvalidRow {
  readonly email: EncryptedField | null;
  readonly level: null;
  readonly role: null;
  readonly error: ImportError;
}

export type ImportRow = ValidRow | InvalidRow;

export const IMPORT_STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const;

/** The users and members of failed rows are null. */
export interface ImportResult {
  readonly status: (typeof IMPORT_STATUSES)[number];
  readonly userId: string | null;
  readonly memberId: string | null;
  readonly error: ImportError | null;
}

interface NewImport {
  readonly importId: string;
  readonly communityId: string;
  readonly rows: readonly ImportRow[];
}

export type MemberImportEvent =
  | Fact<'MemberImportRequested', NewImport & { at: string }>
  | Fact<'MemberRowsImported', { importId: string; from: number; results: readonly ImportResult[]; at: string }>;

export interface KnownMemberImport extends NewImport {
  readonly status: 'requested';
  /** The number of rows with a recorded result. */
  readonly done: number;
}

export type MemberImport = { readonly status: 'unknown' } | KnownMemberImport;

function evolve(state: MemberImport, event: MemberImportEvent): MemberImport {
  if (event.type === 'MemberImportRequested') {
    const { importId, communityId, rows } = event.data;
    return { status: 'requested', importId, communityId, rows, done: 0 };
  }
  return state.status === 'unknown' ? state : { ...state, done: state.done + event.data.results.length };
}

/** `from`: the index of the first row of the results. */
export type MemberImportCommand =
  | { readonly type: 'RequestImport'; readonly request: NewImport }
  | { readonly type: 'RecordResults'; readonly from: number; readonly results: readonly ImportResult[] };

function decide(command: MemberImportCommand, state: MemberImport, { now: at }: DecisionContext): MemberImportEvent[] {
  if (command.type === 'RequestImport')
    return state.status === 'unknown' ? [{ type: 'MemberImportRequested', data: { ...command.request, at } }] : [];
  if (state.status === 'unknown') throw Rejection.notFound();

  const { from, results } = command;
  if (from !== state.done) return [];
  return [{ type: 'MemberRowsImported', data: { importId: state.importId, from, results, at } }];
}

export const memberImportDecider: Decider<MemberImport, MemberImportCommand, MemberImportEvent> = {
  category: 'memberImport',
  versions: { MemberImportRequested: 2, MemberRowsImported: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
