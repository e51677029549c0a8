import { Injectable } from '@nestjs/common';
import { Keys } from '../../engine/encryption/keys.js';
import { Cursors } from '../../engine/read-models/cursor.js';
import type { CursorPaging } from '../../engine/read-models/queries.js';
import type { SliceResult } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import type { SortKey, WhereOf } from '../../kernel/read-models.js';
import type { AuditRead } from '../domain/audit-read.js';
import { type AuditEventDocument, auditEvents } from '../projections/audit-events.js';
import { AuditIndex } from './audit-index.js';
import { AuditReads } from './audit-reads.js';
import { RecordedRange } from './recorded-range.js';

const SEPARATOR = ' ';

export interface AuditWalk {
  readonly paging: CursorPaging;
  readonly where: WhereOf<AuditEventDocument>;
  readonly ascending: boolean;
  /** The read that the start of the walk records. */
  readonly read: Omit<AuditRead, 'readId'>;
}

/** The last entry that a walk has returned, and the head of the log at the start of the walk. */
interface WalkCursor {
  readonly after?: SortKey;
  readonly head: Position;
}

/**
 * Walks over lists of entries. Every cursor holds the head of the log at the start of the walk, and the walk ends there:
 * its pages together are exactly the entries up to that head, while other events are recorded. A walk is recorded once,
 * by its first page, so a cursor continues only the read that was recorded: of this owner, with the same filter.
 */
@Injectable()
export class AuditWalks {
  constructor(
    private readonly index: AuditIndex,
    private readonly reads: AuditReads,
    private readonly range: RecordedRange,
    private readonly keys: Keys,
  ) {}

  async getPage(context: Context, walk: AuditWalk): Promise<SliceResult<AuditEventDocument>> {
    const { where, ascending, paging, read } = walk;
    const cursors = new Cursors(this.keys, auditEvents.name, ascending ? 'asc' : 'desc', {
      ...toOwnerFilter(context),
      read: JSON.stringify([read.kind, read.target, read.filter]),
    });
    const cursor = paging.after === null ? await this.start(context, read) : parseCursor(cursors.decode(paging.after));

    const positions = await this.range.toPositions(context, where);
    const to = positions.to === undefined || positions.to > cursor.head ? cursor.head : positions.to;
    const { documents, next } = await this.index.findSlice(context, {
      where: { ...where, position: { ...positions, to } },
      ascending,
      limit: paging.limit,
      after: cursor.after,
    });
    const next_cursor = next && cursors.encode({ ...next, value: [next.value, cursor.head].join(SEPARATOR) });
    return { data: [...documents], pagination: { next_cursor, has_more: next !== null } };
  }

  private async start(context: Context, read: AuditWalk['read']): Promise<WalkCursor> {
    const head = await this.index.readHead();
    await this.reads.record(context, read);
    return { head };
  }
}

function parseCursor({ value, id }: SortKey): WalkCursor {
  const [position, head] = String(value).split(SEPARATOR);
  return { after: { value: position!, id }, head: head! };
}
