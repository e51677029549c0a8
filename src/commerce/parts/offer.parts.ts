import type { NounParts } from '../../engine/area-parts.js';
import { offerHandlers } from '../commands/offer.commands.js';
import { Offers } from '../commands/offers.steps.js';
import { OffersController } from '../http/offers.controller.js';
import { ExpireOffers } from '../processes/expire-offers.js';
import { MailOffers } from '../processes/mail-offers.js';

export const offerParts: NounParts = {
  controllers: [OffersController],
  providers: [Offers, ...offerHandlers, ExpireOffers],
  reactors: [MailOffers],
  jobs: [MailOffers],
};
