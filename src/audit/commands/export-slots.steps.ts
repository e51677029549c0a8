import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import { Clock } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { auditExportDecider } from '../domain/audit-export.js';
import { exportSlotsDecider } from '../domain/export-slots.js';

/** An export that was not requested within this time was left by a crash. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The slots of the open exports of a business. An export claims one, and a later one takes over the slots of ended exports. */
@Injectable()
export class ExportSlotSteps {
  constructor(
    private readonly streams: Streams,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `rate_limited` */
  async claim(exportId: string, context: Context): Promise<void> {
    const businessId = requireBusiness(context);
    const ended = await this.findEnded(businessId);
    const command = { type: 'ClaimExportSlot', exportId, businessId, ended, limit: this.config.openExports } as const;
    await this.streams.execute(exportSlotsDecider, businessId, command, createChildContext(context, 'slot', exportId));
  }

  /** A business has few slots, so their exports are read each time. */
  private async findEnded(businessId: string): Promise<readonly string[]> {
    const slots = await this.streams.loadState(exportSlotsDecider, businessId);
    const found = await Promise.all([...slots].map(async ([id, at]) => ((await this.hasEnded(id, at)) ? [id] : [])));
    return found.flat();
  }

  private async hasEnded(exportId: string, claimedAt: string): Promise<boolean> {
    const { status } = await this.streams.loadState(auditExportDecider, exportId);
    if (status === 'unknown') return this.clock.now() - Date.parse(claimedAt) > REQUEST_TIMEOUT_MS;
    return status !== 'pending' && status !== 'running';
  }
}
