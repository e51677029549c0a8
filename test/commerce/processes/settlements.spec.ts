import type { ChargeResult } from '../../../src/commerce/domain/charge.js';
import type { PaymentEvent } from '../../../src/commerce/domain/payment.js';
import { productDecider } from '../../../src/commerce/domain/product.js';
import type { ChargeRequest } from '../../../src/commerce/payment-gateway.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { createContext } from '../../support/jar.js';
import { CheckoutFixture, RecordingGateway } from '../checkout-fixture.js';
import { clubPlan, monthly } from '../domain/facts.js';

type PaymentStarted = RecordedOf<Extract<PaymentEvent, { type: 'PaymentStarted' }>>;

const NEVER_ARRIVED = { code: 'charge_not_found', detail: 'It never arrived.', hard: false, method: null };
const PARTS = { ...clubPlan, kind: 'installment', installmentsCount: 3 } as const;

/** A gateway that never gets the charge. Like a real one, it is sure of that only when it knows when the charge began. */
class DeafGateway extends RecordingGateway {
  readonly askedSince: (string | undefined)[] = [];
  isDeaf = true;

  override async charge(request: ChargeRequest): Promise<ChargeResult> {
    return this.isDeaf ? { status: 'unknown' } : super.charge(request);
  }

  override async getStatus(key: string, startedAt?: string): Promise<ChargeResult> {
    if (!this.isDeaf) return super.getStatus(key);
    this.askedSince.push(startedAt);
    return startedAt === undefined ? { status: 'unknown' } : { status: 'declined', ...NEVER_ARRIVED };
  }
}

class LostCharges extends CheckoutFixture {
  override readonly gateway = new DeafGateway();

  async sell(): Promise<void> {
    const { streams } = this.startProcess();
    const content = { name: 'A club', description: null, metadata: {}, externalReference: null };
    const owner = { productId: 'prod_2', businessId: 'biz_1', mode: 'test' } as const;
    const create = { type: 'CreateProduct', ...owner, ...content, plans: [monthly] } as const;
    await streams.execute(productDecider, 'prod_2', create, createContext('product'));
    await this.startProcess().checkout.run(await this.checkOut(), createContext('checkout ord_1'));
  }

  /** Checks the last charge, and returns when it began. */
  async settle(): Promise<string> {
    const timer = this.findTimers('settlement').at(-1)!;
    expect(await this.startProcess().timers.run(timer, timer.due, new ConsistencyContext())).toBeUndefined();
    const started = this.store.log.filter(({ type }) => type === 'PaymentStarted') as PaymentStarted[];
    return started.at(-1)!.meta.at;
  }
}

describe('A charge that never reached the gateway', () => {
  it('is declined by a check that says when the charge began', async () => {
    const fixture = new LostCharges();
    await fixture.sell();

    expect(fixture.gateway.askedSince).toEqual([]);
    expect([await fixture.settle()]).toEqual(fixture.gateway.askedSince);
    expect(fixture.recordedTypes).toEqual(expect.arrayContaining(['PaymentFailed', 'CartReopened', 'OrderFailed']));
  });

  it('is not asked for again when its result is recorded', async () => {
    const fixture = new LostCharges();
    await fixture.sell();
    await fixture.settle();
    await fixture.settle();

    expect(fixture.gateway.askedSince).toHaveLength(1);
  });

  it.each([
    ['a renewal', clubPlan, 'renewal', 'RenewalFailed'],
    ['an installment', PARTS, 'installment', 'InstallmentFailed'],
  ] as const)('is declined in the same way for %s', async (_, plan, timer, failure) => {
    const fixture = new LostCharges(plan);
    fixture.gateway.isDeaf = false;
    await fixture.sell();
    fixture.gateway.isDeaf = true;
    await fixture.runTimer(timer);

    expect([await fixture.settle()]).toEqual(fixture.gateway.askedSince);
    expect(fixture.recordedTypes).toContain(failure);
  });
});
