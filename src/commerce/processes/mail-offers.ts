import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { sendMail } from '../../engine/send-mail.js';
import { Streams } from '../../engine/streams/streams.js';
import { businessDecider } from '../../identity/domain/business.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { Mailer } from '../../kernel/mailer.js';
import { declareQueue } from '../../kernel/queue.js';
import type { Buyer } from '../domain/buyer.js';
import { type KnownOffer, offerDecider, type OfferSent } from '../domain/offer.js';
import { writeOfferMail } from './offer-mail.js';

/** The buyer with decrypted fields. They are null when the person was forgotten. */
type ReadableBuyer = Readonly<Record<'email' | 'name', string | null>>;

type Sending = Pick<OfferSent['data'], 'offerId' | 'sending'>;

/** Mails an offer to its buyer, once for each sending. */
@Injectable()
export class MailOffers implements Reactor<OfferSent>, JobHandler<Sending> {
  readonly name = 'mail-offers';
  readonly types = typesOf<OfferSent>({ OfferSent: true });
  readonly queue = declareQueue<Sending>({ name: 'offer-mails' });
  readonly concurrency = 2;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly personal: PersonalFields,
    private readonly mailer: Mailer,
  ) {}

  async react({ data: { offerId, sending }, meta }: RecordedOf<OfferSent>): Promise<void> {
    const key = `offer-mail:${offerId}:${sending}`;
    await this.jobs.enqueue([this.queue.createJob({ key, due: meta.at, data: { offerId, sending } })]);
  }

  /** Leaves out the mail of an offer that has ended since, and of a forgotten person. */
  async run({ data: { offerId, sending } }: Pick<Job<Sending>, 'data'>): Promise<void> {
    const offer = await this.streams.loadState(offerDecider, offerId);
    if (offer.status !== 'sent') return;
    const { email, name } = await this.decrypt(offer.content.buyer);
    if (email === null) return;

    const mail = writeOfferMail({
      offer: offer.content,
      mode: offer.mode,
      seller: await this.loadSellerName(offer),
      buyer: { email, name },
    });
    await sendMail(this.mailer, { key: `offer:${offerId}:${sending}`, ...mail }, offerId);
  }

  private async decrypt({ email, name }: Buyer): Promise<ReadableBuyer> {
    return (await this.personal.decrypt({ email, name })) as unknown as ReadableBuyer;
  }

  private async loadSellerName({ business }: KnownOffer): Promise<string> {
    const seller = await this.streams.loadState(businessDecider, business!);
    if (seller.status === 'unknown') throw new Error(`The business ${business} is unknown`);
    return seller.name;
  }
}
