import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import type { Position } from '../../kernel/position.js';
import type { WhereOf } from '../../kernel/read-models.js';
import { hashChainIdOf } from '../domain/audit-chain.js';
import { auditChains } from '../projections/audit-chains.js';
import type { AuditEventDocument } from '../projections/audit-events.js';

/**
 * An event may be in the log before events with earlier times: clocks differ, and an append may be repeated. The
 * difference is far below this time.
 */
const MARGIN_MS = 3_600_000;
const TIME = 'recorded_at';

interface Positions {
  readonly from?: Position;
  readonly to?: Position;
}

/**
 * Translates a range of times to a range of positions, so that a list in the order of the log skips few entries. The
 * chain of the business has a position with a time at every 1,000 events.
 */
@Injectable()
export class RecordedRange {
  constructor(private readonly reader: ReadModelReader) {}

  /** Returns positions that contain every event of the range, and few others. */
  async toPositions(context: Context, where: WhereOf<AuditEventDocument>): Promise<Positions> {
    const { from, to } = (where[TIME] ?? {}) as { readonly from?: string; readonly to?: string };
    const lower = from === undefined ? undefined : await this.findNearest(context, { to: shift(from, -MARGIN_MS) });
    const upper = to === undefined ? undefined : await this.findNearest(context, { from: shift(to, MARGIN_MS) });
    return { ...(lower !== undefined && { from: lower }), ...(upper !== undefined && { to: upper }) };
  }

  /** Finds the latest stored head before the range, or the earliest one after it. */
  private async findNearest(
    context: Context,
    outside: { readonly from?: string; readonly to?: string },
  ): Promise<Position | undefined> {
    const where = { chain: hashChainIdOf(context.business), [TIME]: outside };
    const find = { where, orderBy: TIME, ascending: outside.from !== undefined, limit: 1 } as const;
    return (await this.reader.findSlice(auditChains, find, context.consistency)).documents[0]?.position;
  }
}

function shift(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}
