import { type ApiResponse, requireData } from '../support/api.js';
import { respondWith } from '../support/receiver-responses.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from './webhook-fixture.js';

const FINISHED = ['completed', 'failed', 'cancelled'];

/** A webhook fixture with replay jobs. */
export class ReplayFixture {
  constructor(readonly webhooks: WebhookFixture) {}

  get receiver() {
    return this.webhooks.receiver;
  }

  close(): Promise<void> {
    return this.webhooks.close();
  }

  createEndpoint(path: string, body: object = {}): Promise<ApiResponse['body']> {
    return this.webhooks.createEndpoint(path, { event_types: [PUBLISHED_TYPE], ...body });
  }

  /** Creates an endpoint whose receiver refuses `count` deliveries. Returns their first records, oldest first. */
  async createRefusedDeliveries(path: string, count: number, answer = respondWith(400)) {
    this.receiver.setResponses(path, answer);
    const { id: endpointId } = await this.createEndpoint(path);
    // A retry may come before the next first attempt.
    const findFirst = (records: readonly ApiResponse['body'][]) => records.filter(({ attempt }) => attempt === 1);
    const waitForFirst = async (n: number) =>
      findFirst(await this.waitForRecords(`endpoint_id=${endpointId}`, (records) => findFirst(records).length === n));
    // One after another, so that their times differ.
    for (let i = 1; i <= count; i++) {
      await this.webhooks.publish(`Number ${i}`);
      await waitForFirst(i);
    }
    return { endpointId, records: await waitForFirst(count) };
  }

  waitForRecords(query: string, isComplete: (records: readonly ApiResponse['body'][]) => boolean) {
    return this.webhooks.waitForRecords(query, isComplete);
  }

  post(body: object, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> {
    return this.webhooks.api.post('/v1/webhooks/replay-jobs', body, headers);
  }

  /** Creates a job for the last two hours. */
  async createJob(body: object = {}): Promise<ApiResponse['body']> {
    return requireData(await this.post({ created_from: hoursAgo(2), ...body }));
  }

  get(id: string): Promise<ApiResponse> {
    return this.webhooks.api.get(`/v1/webhooks/replay-jobs/${id}`);
  }

  list(query = ''): Promise<ApiResponse> {
    return this.webhooks.api.get(`/v1/webhooks/replay-jobs?${query}`);
  }

  async retrieve({ id }: { readonly id: string }): Promise<ApiResponse['body']> {
    return requireData(await this.get(id));
  }

  /** Waits until the job meets the condition, and returns it. */
  waitUntil(
    job: { readonly id: string },
    isReached: (job: ApiResponse['body']) => boolean,
  ): Promise<ApiResponse['body']> {
    return waitFor(async () => {
      const found = await this.retrieve(job);
      return isReached(found) ? found : null;
    });
  }

  waitForEnd(job: { readonly id: string }): Promise<ApiResponse['body']> {
    return this.waitUntil(job, (found) => FINISHED.includes(found.status));
  }

  cancel({ id }: { readonly id: string }): Promise<ApiResponse> {
    return this.webhooks.api.post(`/v1/webhooks/replay-jobs/${id}/cancel`);
  }
}

export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}
