import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { decryptPayload, type EventPayload, toContent } from '../delivery/envelope.js';
import { deliveryChainIdOf, deliveryIdOf } from '../domain/delivery-id.js';

/** Takes the place of the endpoint in the delivery id of an envelope. */
const STREAM = 'stream';

/** Writes public events as server-sent events. */
@Injectable()
export class EventMessages {
  constructor(
    private readonly personal: PersonalFields,
    private readonly clock: Clock,
  ) {}

  /** The data is the envelope of a webhook, on one line. Its delivery id is always the same for the same event. */
  async write(event: Omit<EventPayload, 'test'>): Promise<string> {
    const { eventId, type, occurredAt } = event;
    const attempt = {
      deliveryId: deliveryIdOf(deliveryChainIdOf(occurredAt, eventId, STREAM), 1),
      attempt: 1,
      startedAt: toIso(this.clock.now()),
    };
    const content = toContent({ ...(await decryptPayload(event, this.personal)), test: false }, attempt);
    return `id: ${eventId}\nevent: ${type}\ndata: ${JSON.stringify(content)}\n\n`;
  }
}
