import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireOwned } from '../../kernel/ownership.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import type { DisputeOutcome } from '../domain/dispute.js';
import { paymentDecider } from '../domain/payment.js';
import { type DisputeDocument, disputes } from '../projections/disputes.js';
import { Disputes } from './disputes.steps.js';

export class CloseDispute extends ContextCommand<
  { readonly disputeId: string; readonly outcome: DisputeOutcome },
  DisputeDocument
> {}

@CommandHandler(CloseDispute)
export class CloseDisputeHandler implements ICommandHandler<CloseDispute> {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly steps: Disputes,
  ) {}

  /** @throws Rejection permission_denied in live mode */
  async execute({ context, params: { disputeId, outcome } }: CloseDispute): Promise<DisputeDocument> {
    if (context.mode === 'live') throw new Rejection('permission_denied', 'In live mode, the bank decides a dispute.');
    const { payment } = requireOwned(await this.reader.get(disputes, disputeId, context.consistency), context);
    await this.steps.execute(payment.id, { type: 'CloseDispute', disputeId, outcome }, context);
    return render(disputes, disputeId, await this.streams.loadHistory(paymentDecider, payment.id));
  }
}
