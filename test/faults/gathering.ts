import { dataOf } from '../support/api.js';
import { trace, type Customer } from './customer.js';
import type { Luck } from './luck.js';

const COMMUNITIES = '/v1/community/communities';

/**
 * The load on a community. Its operations accept no idempotency key, so a missing response leaves the outcome unknown.
 */
export class Gathering {
  private community = '';

  /** @param ownerEmail the only member who can get points */
  constructor(
    private readonly customer: Customer,
    private readonly luck: Luck,
    private readonly ownerEmail: string,
  ) {}

  async prepare(): Promise<void> {
    this.community = dataOf((await this.customer.write({ path: COMMUNITIES, body: { name: 'Readers' } }))!).id;
  }

  async post(): Promise<void> {
    const content = this.luck.mark('post');
    const path = `${COMMUNITIES}/${this.community}/posts`;
    await this.customer.write({ path, body: { content }, leaves: [trace('PostCreated', 'content', content)] });
  }

  async award(): Promise<void> {
    const sourceId = this.luck.mark('award');
    const body = { points: 5, source_type: 'lesson', source_id: sourceId, target_email: this.ownerEmail };
    const path = `${COMMUNITIES}/${this.community}/points`;
    await this.customer.write({ path, body, leaves: [trace('PointsAwarded', 'sourceId', sourceId)] });
  }
}
