import { Injectable } from '@nestjs/common';
import type { Outcome } from '../../engine/streams/outcome.js';
import { Streams } from '../../engine/streams/streams.js';
import { Users } from '../../identity/users.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { Rejection } from '../../kernel/rejection.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { type MemberCommand, memberIdOf } from '../domain/member.js';
import type { MemberChanges, MemberEvent, NewMember } from '../domain/member-events.js';
import { type ImportResult, type ImportRow, memberImportDecider, type ValidRow } from '../domain/member-import.js';
import type { KnownMember, Member } from '../domain/member-state.js';
import { MemberAddresses } from '../member-addresses.js';
import { ImportedPoints } from './imported-points.steps.js';
import { Members } from './members.steps.js';

/** The rows whose results are recorded together. */
const CHUNK = 100;
/** The rows that are imported at the same time. Their addresses differ, so their order has no effect. */
const CONCURRENT_ROWS = 10;

type Target = Pick<NewMember, 'memberId' | 'userId'>;
type ImportCommand = Extract<MemberCommand, { type: 'ImportMember' | 'ReimportMember' }>;

interface RowContext {
  readonly importId: string;
  readonly communityId: string;
  readonly index: number;
  readonly context: Context;
}

/** Imports the rows of a member import. A repeated run continues after the last recorded chunk. */
@Injectable()
export class MemberImports {
  constructor(
    private readonly streams: Streams,
    private readonly addresses: MemberAddresses,
    private readonly members: Members,
    private readonly users: Users,
    private readonly points: ImportedPoints,
  ) {}

  /** @param context the context of the RequestImport command */
  async run(importId: string, context: Context): Promise<void> {
    for (;;) {
      const found = await this.streams.loadState(memberImportDecider, importId);
      if (found.status === 'unknown' || found.done === found.rows.length) return;

      const { communityId, rows, done: from } = found;
      const work = { importId, communityId, context };
      const results = await this.importRows(rows.slice(from, from + CHUNK), from, work);
      const command = { type: 'RecordResults', from, results } as const;
      await this.streams.execute(memberImportDecider, importId, command, createChildContext(context, 'results', from));
    }
  }

  private async importRows(
    rows: readonly ImportRow[],
    from: number,
    work: Omit<RowContext, 'index'>,
  ): Promise<readonly ImportResult[]> {
    const results: ImportResult[] = [];
    for (let i = 0; i < rows.length; i += CONCURRENT_ROWS) {
      const group = rows.slice(i, i + CONCURRENT_ROWS);
      results.push(
        ...(await Promise.all(group.map((row, j) => this.importRow(row, { ...work, index: from + i + j })))),
      );
    }
    return results;
  }

  private async importRow(row: ImportRow, work: RowContext): Promise<ImportResult> {
    if (row.error !== null) return { status: 'failed', userId: null, memberId: null, error: row.error };
    try {
      const known = await this.addresses.findByHash(work.communityId, row.email.hash);
      return await (known.status === 'unknown' ? this.create(row, work) : this.update(known, row, work));
    } catch (error) {
      if (!(error instanceof Rejection) || error.code === 'concurrent_update') throw error;
      return { status: 'failed', userId: null, memberId: null, error: toImportError(error, work.index) };
    }
  }

  private async create(row: ValidRow, work: RowContext): Promise<ImportResult> {
    const { importId, communityId, index } = work;
    const user = await this.users.findByEmailHash(row.email.hash);
    const userId = user?.id ?? (await this.users.reserveIdOfHash(row.email.hash));
    const memberId = memberIdOf(communityId, userId);
    const { role = 'member', minimumLevel = LOWEST_LEVEL } = toChanges(row);
    const newMember: NewMember = { memberId, communityId, userId, email: row.email, role, minimumLevel };
    await this.members.claim(newMember, createChildContext(work.context, 'row', index));

    const member = { ...newMember, importId, status: user === null ? 'pending' : 'active' } as const;
    return this.record({ type: 'ImportMember', member, changes: toChanges(row) }, member, row, work);
  }

  private async update({ id: memberId, userId }: KnownMember, row: ValidRow, work: RowContext): Promise<ImportResult> {
    await this.points.assertPayable({ communityId: work.communityId, memberId }, row.points);
    const command = { type: 'ReimportMember', email: row.email, changes: toChanges(row) } as const;
    return this.record(command, { memberId, userId }, row, work);
  }

  private async record(
    command: ImportCommand,
    { memberId, userId }: Target,
    row: ValidRow,
    work: RowContext,
  ): Promise<ImportResult> {
    const context = createChildContext(work.context, 'import', work.index);
    const outcome = await this.members.change(memberId, command, context);
    const isPaid = await this.points.pay({ communityId: work.communityId, memberId }, row.points, context);
    const status = await determineStatus(outcome, context);
    return { status: isPaid && status === 'unchanged' ? 'updated' : status, userId, memberId, error: null };
  }
}

/** Another import may have created the member at the same time. A row that adds a reason only changes no field. */
async function determineStatus({ recorded, repeated, loadHistory }: Outcome<Member>, { commandId }: Context) {
  const history = repeated ? await loadHistory() : recorded;
  const own = history.filter(({ meta }) => meta.commandId === commandId) as readonly RecordedOf<MemberEvent>[];
  if (own.some(({ type }) => type === 'MemberImported')) return 'created';
  return own.some(changesFields) ? 'updated' : 'unchanged';
}

function changesFields({ type, data }: MemberEvent): boolean {
  return type !== 'MemberChanged' || data.changes.role !== undefined || data.changes.minimumLevel !== undefined;
}

function toChanges({ role, level }: ValidRow): MemberChanges {
  return omitUndefined({ role: role ?? undefined, minimumLevel: level ?? undefined });
}

function toImportError({ code, message, errors }: Rejection, index: number) {
  const { param = 'email', ...fault } = errors[0] ?? { code, detail: message };
  return { ...fault, field: `members[${index}].${param}` };
}
