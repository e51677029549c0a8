import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import type { FindQuery, Slice, WhereOf } from '../../kernel/read-models.js';
import { Rejection } from '../../kernel/rejection.js';
import { type AuditEventDocument, auditEvents } from '../projections/audit-events.js';

type EntryQuery = Pick<FindQuery, 'ascending' | 'after' | 'limit'> & { readonly where: WhereOf<AuditEventDocument> };

/** The entries of the caller's business, in the order of the log. */
@Injectable()
export class AuditIndex {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly store: EventStore,
  ) {}

  /** Returns the head of the log once every event up to it has its entry. @throws StoreUnavailable */
  async readHead(): Promise<Position> {
    const head = await this.store.readHead();
    if (await this.reader.waitUntil(auditEvents, head)) return head;
    throw new StoreUnavailable(`${auditEvents.name} has not reached ${head}`, false);
  }

  findSlice(context: Context, { where, ...query }: EntryQuery): Promise<Slice<AuditEventDocument>> {
    const find = { orderBy: 'position', ...query, where: { ...toOwnerFilter(context), ...where } } as const;
    return this.reader.findSlice(auditEvents, find, context.consistency);
  }

  getOwned(context: Context, id: string): Promise<AuditEventDocument> {
    return this.reader.getOwned(auditEvents, id, context);
  }

  /** Returns the first entry that matches. @throws Rejection not_found */
  async requireFirst(context: Context, where: WhereOf<AuditEventDocument>): Promise<AuditEventDocument> {
    const { documents } = await this.findSlice(context, { where, ascending: true, limit: 1 });
    if (documents[0] === undefined) throw Rejection.notFound();
    return documents[0];
  }
}
