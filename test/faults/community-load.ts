import { requireData } from '../support/api.js';
import type { RandomChoices } from './random-choices.js';
import { createTrace, type RecordingClient } from './recording-client.js';

const COMMUNITIES = '/v1/community/communities';

/**
 * The load on a community. Its operations accept no idempotency key, so a missing response leaves the outcome unknown.
 */
export class CommunityLoad {
  private community = '';

  /** @param ownerEmail the only member who can get points */
  constructor(
    private readonly customer: RecordingClient,
    private readonly random: RandomChoices,
    private readonly ownerEmail: string,
  ) {}

  async prepare(): Promise<void> {
    this.community = requireData((await this.customer.write({ path: COMMUNITIES, body: { name: 'Readers' } }))!).id;
  }

  async post(): Promise<void> {
    const content = this.random.createMark('post');
    const path = `${COMMUNITIES}/${this.community}/posts`;
    await this.customer.write({ path, body: { content }, traces: [createTrace('PostCreated', 'content', content)] });
  }

  async award(): Promise<void> {
    const sourceId = this.random.createMark('award');
    const body = { points: 5, source_type: 'lesson', source_id: sourceId, target_email: this.ownerEmail };
    const path = `${COMMUNITIES}/${this.community}/points`;
    await this.customer.write({ path, body, traces: [createTrace('PointsAwarded', 'sourceId', sourceId)] });
  }
}
