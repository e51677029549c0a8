import type { ChargeResult } from '../../../src/commerce/domain/charge.js';
import type { RefundResult } from '../../../src/commerce/domain/refund-result.js';
import { SimulatedGateway } from '../../../src/commerce/gateways/simulated-gateway.js';
import type { ChargeRequest, RefundRequest } from '../../../src/commerce/payment-gateway.js';
import type { ProcessLifecycle } from '../process-lifecycle.js';
import type { SimulationRandom } from '../seeded-random.js';

const MAX_LATENCY_MS = 200;
const LOST_PROBABILITY = 0.15;

/** The bank of a run: the charges and refunds that it accepted, by key. */
export class Bank {
  readonly charges = new Map<string, ChargeRequest>();
  readonly refunds = new Map<string, RefundRequest>();
  losesResponses = false;
}

/** The simulated gateway of one process. A response takes time and can be lost; its result depends only on the key. */
export class LossyGateway extends SimulatedGateway {
  constructor(
    private readonly bank: Bank,
    private readonly life: ProcessLifecycle,
    private readonly random: SimulationRandom,
  ) {
    super();
  }

  override async charge(request: ChargeRequest): Promise<ChargeResult> {
    await this.wait();
    if ((await this.getStatus(request.key)).status === 'succeeded') this.bank.charges.set(request.key, request);
    return this.respond(await super.charge(request));
  }

  override async refund(request: RefundRequest): Promise<RefundResult> {
    await this.wait();
    if ((await this.getRefundStatus(request)).status === 'succeeded') this.bank.refunds.set(request.key, request);
    return this.respond(await super.refund(request));
  }

  private async respond<R>(result: R): Promise<R | { readonly status: 'unknown' }> {
    await this.wait();
    return this.bank.losesResponses && this.random.chance(LOST_PROBABILITY) ? { status: 'unknown' } : result;
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => this.life.schedule(this.random.between(0, MAX_LATENCY_MS), resolve));
  }
}
