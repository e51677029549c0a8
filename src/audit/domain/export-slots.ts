import { createMapBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/* Stored names never change. */
export type ExportSlotEvent = Fact<
  'AuditExportSlotClaimed',
  {
    readonly exportId: string;
    readonly businessId: string;
    /** The exports whose slots were free again. */
    readonly released: readonly string[];
    readonly at: string;
  }
>;

/** The claim times of the open exports of a business, in both modes, by their ids. */
export type ExportSlots = ReadonlyMap<string, string>;

export interface ClaimExportSlot {
  readonly type: 'ClaimExportSlot';
  readonly exportId: string;
  readonly businessId: string;
  /** The exports that have ended, although they hold a slot. */
  readonly ended: readonly string[];
  readonly limit: number;
}

function evolve(slots: ExportSlots, { data: { exportId, released, at } }: ExportSlotEvent): ExportSlots {
  const next = new Map(slots);
  for (const ended of released) next.delete(ended);
  return next.set(exportId, at);
}

function decide(
  { exportId, businessId, ended, limit }: ClaimExportSlot,
  slots: ExportSlots,
  { now: at }: DecisionContext,
): ExportSlotEvent[] {
  if (slots.has(exportId)) return [];
  const released = ended.filter((id) => slots.has(id));
  if (slots.size - released.length >= limit)
    throw new Rejection('rate_limited', `A business can have ${limit} open exports at the same time.`);
  return [{ type: 'AuditExportSlotClaimed', data: { exportId, businessId, released, at } }];
}

/** Its streams have the id of the business. Earlier ones also had the mode, and are no longer used. */
export const exportSlotsDecider: Decider<ExportSlots, ClaimExportSlot, ExportSlotEvent> = {
  category: 'auditExportSlots',
  unbounded: true,
  baseline: createMapBaseline(1),
  versions: { AuditExportSlotClaimed: 1 },
  initial: new Map(),
  evolve,
  decide,
};
