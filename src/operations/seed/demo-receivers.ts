import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock, DAY_MS } from '../../kernel/clock.js';
import type { Destination } from '../../webhooks/delivery/destinations.js';
import type { Envelope } from '../../webhooks/delivery/envelope.js';
import { NameResolverOverride } from '../../webhooks/delivery/name-resolver.js';
import { SenderOverride, type SendResult } from '../../webhooks/delivery/sender.js';

/** A public address. Nothing is sent to it. */
const ADDRESS = '1.1.1.1';
const OUTAGE_DAYS = 3;
const OUTAGE_INTERVAL_DAYS = 12;

/** The receivers of the demo. Names that end with `.example` belong to nobody. */
export const RECEIVERS = {
  fulfilment: 'https://fulfilment.example/webhooks',
  accounting: 'https://accounting.example/hooks/payments',
  newsletter: 'https://newsletter.example/subscribe',
} as const;

/** The last outage ends this many days before the end of the demo, so that no retry is left to be really sent. */
const LAST_OUTAGE_DAY = 3;

/** The response of each receiver, by the days that are left. */
const ANSWERS: Readonly<Record<string, (left: number) => { readonly status: number; readonly body: string }>> = {
  [RECEIVERS.fulfilment]: () => ({ status: 200, body: '{"received":true}' }),
  [RECEIVERS.accounting]: (left) =>
    left >= LAST_OUTAGE_DAY && (left - LAST_OUTAGE_DAY) % OUTAGE_INTERVAL_DAYS < OUTAGE_DAYS
      ? { status: 503, body: '{"error":"Closed for maintenance"}' }
      : { status: 202, body: '' },
  [RECEIVERS.newsletter]: () => ({ status: 404, body: '{"error":"No list has this address"}' }),
};

/** Responds in the place of the receivers. A response follows from the receiver and the day. */
@Injectable()
export class DemoSender extends SenderOverride {
  /** The number of the last day since 1970. */
  lastDay = 0;

  constructor(
    config: Config,
    private readonly demoClock: Clock,
  ) {
    super(config, demoClock);
  }

  override post({ url }: Destination, { body }: Envelope): Promise<SendResult> {
    const answer = ANSWERS[url]!(this.lastDay - Math.floor(this.demoClock.now() / DAY_MS));
    return Promise.resolve({
      responseStatus: answer.status,
      durationMs: 40 + (body.length % 160),
      retryAfterSeconds: null,
      received: { headers: { 'content-type': 'application/json' }, body: answer.body },
    });
  }
}

@Injectable()
export class DemoNames extends NameResolverOverride {
  override findKnown(): readonly string[] {
    return [ADDRESS];
  }

  override resolve(): Promise<readonly string[]> {
    return Promise.resolve([ADDRESS]);
  }
}
