import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { offerHandlers } from '../commands/offer.commands.js';
import { Offers } from '../commands/offers.steps.js';
import { offerDecider } from '../domain/offer.js';
import { OffersController } from '../http/offers.controller.js';
import { ExpireOffers } from '../processes/expire-offers.js';
import { MailOffers } from '../processes/mail-offers.js';
import { offers, offerSchema } from '../projections/offers.js';

export const offerFeature: Feature = {
  streams: [auditStream(offerDecider, createAuditedResource('offer', offers))],
  projections: [offers],
  publicEvents: [
    publish({
      fact: 'OfferSent',
      type: 'offer.sent',
      summary: 'An offer was sent',
      description: 'The offer was sent to its buyer, for the first time or again.',
      projection: offers,
      schema: offerSchema,
      change: true,
    }),
    publish({
      fact: 'OfferAccepted',
      type: 'offer.accepted',
      summary: 'An offer was accepted',
      description: 'The buyer accepted the offer and bought its content.',
      projection: offers,
      schema: offerSchema,
      change: true,
    }),
    publish({
      fact: 'OfferCancelled',
      type: 'offer.cancelled',
      summary: 'An offer was cancelled',
      description: 'The seller cancelled an offer.',
      projection: offers,
      schema: offerSchema,
      change: true,
    }),
    publish({
      fact: 'OfferExpired',
      type: 'offer.expired',
      summary: 'An offer expired',
      description: 'An offer was not accepted in time.',
      projection: offers,
      schema: offerSchema,
      change: true,
    }),
    publish({
      fact: 'OfferCreated',
      type: 'offer.created',
      summary: 'An offer was created',
      description: 'A seller wrote an offer, which is not sent yet.',
      projection: offers,
      schema: offerSchema,
    }),
  ],
  controllers: [OffersController],
  providers: [Offers, ...offerHandlers, ExpireOffers],
  reactors: [MailOffers],
  jobs: [MailOffers],
};
