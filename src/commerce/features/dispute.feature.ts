import type { Feature } from '../../engine/feature.js';
import { createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { CloseDisputeHandler } from '../commands/dispute.commands.js';
import { Disputes } from '../commands/disputes.steps.js';
import { DisputesController } from '../http/disputes.controller.js';
import { FinishDisputes } from '../processes/finish-disputes.js';
import { OpenDisputes } from '../processes/open-disputes.js';
import { disputes, disputeSchema } from '../projections/disputes.js';

export const dispute = createAuditedResource('dispute', disputes);

/** The streams of payments and of the seller's balance have the events of disputes. Older disputes have no document. */
export const disputeFeature: Feature = {
  projections: [disputes],
  publicEvents: [
    publish({
      fact: 'PaymentDisputed',
      type: 'dispute.opened',
      summary: 'A payment is disputed',
      description:
        'The bank of the buyer asks for the money of a payment back. The balance of the seller has it no more.',
      projection: disputes,
      schema: disputeSchema,
      only: ({ data }) => data.gatewayReference !== undefined,
    }),
    publish({
      fact: 'DisputeClosed',
      type: 'dispute.closed',
      summary: 'A dispute is closed',
      description: 'The seller has won the dispute, and has the money again, or has lost it.',
      projection: disputes,
      schema: disputeSchema,
      only: ({ data }) => data.returnedCents !== undefined,
      change: true,
    }),
  ],
  controllers: [DisputesController],
  providers: [Disputes, CloseDisputeHandler, OpenDisputes],
  reactors: [FinishDisputes],
  jobs: [FinishDisputes],
};
