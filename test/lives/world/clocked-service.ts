import { Global, Module } from '@nestjs/common';
import { Disputes } from '../../../src/commerce/commands/disputes.steps.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { ClockOverride, DAY_MS } from '../../../src/kernel/clock.js';
import { DemoClock } from '../../../src/operations/seed/demo-clock.js';
import { DemoService } from '../../../src/operations/seed/demo-service.js';
import { type Api, requireData } from '../../support/api.js';
import { ManualClock } from '../../support/clock.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';

export const START = '2030-01-01T00:00:00.000Z';
const OWNER = 'owner';
/** The clock stands still while deliveries are sent. */
const NO_RATES = { WEBHOOK_ENDPOINT_RATE: '10000', WEBHOOK_REPLAY_RATE: '10000' };

const TWO_DAYS_IN_SECONDS = (2 * DAY_MS) / 1000;

const clock = { provide: ClockOverride, useFactory: () => new DemoClock(Date.parse(START)) };

@Global()
@Module({ providers: [clock], exports: [ClockOverride] })
class WorldClockModule {}

/** The whole service with one business, in live mode, by a clock that the test sets. */
export class ClockedService {
  private readonly demo: DemoService;
  /** Whether deliveries can wait until the service tries a receiver that has failed again. */
  holdsDeliveries = false;
  private readonly provider = new ManualClock(Date.now() - DAY_MS);

  private constructor(
    readonly service: Service,
    readonly business: TestBusiness,
    /** The seller's secret key. */
    readonly key: string,
    /** The API with that key. */
    readonly api: Api,
  ) {
    this.demo = new DemoService(service.running.app);
  }

  static async start(): Promise<ClockedService> {
    const service = await startService(NO_RATES, [WorldClockModule]);
    const business = await service.createBusiness('A business', OWNER);
    const key = await service.createKey(business);
    return new ClockedService(service, business, key, service.createApi(key));
  }

  /** Sets the clock, and waits until the service has done what is due then. */
  async advanceTo(at: string): Promise<void> {
    this.demo.clock.set(Date.parse(at));
    await this.settle();
  }

  /** Waits until every list shows what was done. */
  settle(): Promise<void> {
    return this.demo.settle((queue) => this.holdsDeliveries && queue.startsWith('deliver'));
  }

  /** Lets the bank decide the dispute of a payment, as a gateway reports it. */
  async reportDispute(paymentId: string, status: 'won' | 'lost'): Promise<void> {
    const payment = requireData(await this.api.get(`/v1/commerce/payments/${paymentId}`));
    const { amount_cents: amountCents, currency, gateway_reference: gatewayReference } = payment;
    const terms = { gatewayReference, amountCents, currency, reason: 'fraudulent', evidenceDueAt: null };
    const report = { ...terms, status, feeCents: 0 };
    const context = createSystemContext(this.demo.clock.now());
    await this.service.get(Disputes).execute(paymentId, { type: 'RecordDispute', report }, context);
  }

  /** A session of this person, with this verified address. Sessions use real time, each a second after the last one. */
  async signIn(subject: string, email: string | null, reviewer = false): Promise<Api> {
    await this.provider.advance(1_000);
    const options = { email, reviewer, expiresInSeconds: TWO_DAYS_IN_SECONDS };
    return this.service.createApi(await this.service.signToken(subject, options, this.provider));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}
