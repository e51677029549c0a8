import { status } from '../support/answers.js';
import { dataOf, type Reply } from '../support/api.js';
import { Desk, eventually, OCCURRENCE } from './desk.js';

const OVER = ['completed', 'failed', 'cancelled'];

/** A webhook fixture with replay jobs. */
export class ReplayDesk {
  constructor(readonly desk: Desk) {}

  get receiver() {
    return this.desk.receiver;
  }

  close(): Promise<void> {
    return this.desk.close();
  }

  endpoint(path: string, body: object = {}): Promise<Reply['body']> {
    return this.desk.endpoint(path, { event_types: [OCCURRENCE], ...body });
  }

  /** Creates an endpoint whose receiver refuses `count` deliveries. Returns their records, oldest first. */
  async refused(path: string, count: number, answer = status(400)) {
    this.receiver.answers(path, answer);
    const { id: endpointId } = await this.endpoint(path);
    for (let i = 0; i < count; i++) await this.desk.occur(`Number ${i}`);
    const records = await this.desk.records(`endpoint_id=${endpointId}`, ({ length }) => length === count);
    return { endpointId, records };
  }

  records(query: string, areThere: (records: readonly Reply['body'][]) => boolean) {
    return this.desk.records(query, areThere);
  }

  post(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.desk.api.post('/v1/webhooks/replay-jobs', body, headers);
  }

  /** Creates a job for the last two hours. */
  async job(body: object = {}): Promise<Reply['body']> {
    return dataOf(await this.post({ created_from: hoursAgo(2), ...body }));
  }

  get(id: string): Promise<Reply> {
    return this.desk.api.get(`/v1/webhooks/replay-jobs/${id}`);
  }

  list(query = ''): Promise<Reply> {
    return this.desk.api.get(`/v1/webhooks/replay-jobs?${query}`);
  }

  async retrieved({ id }: { readonly id: string }): Promise<Reply['body']> {
    return dataOf(await this.get(id));
  }

  /** Waits until the job meets the condition, and returns it. */
  until(job: { readonly id: string }, is: (job: Reply['body']) => boolean): Promise<Reply['body']> {
    return eventually(async () => {
      const found = await this.retrieved(job);
      return is(found) ? found : null;
    });
  }

  ended(job: { readonly id: string }): Promise<Reply['body']> {
    return this.until(job, (found) => OVER.includes(found.status));
  }

  cancel({ id }: { readonly id: string }): Promise<Reply> {
    return this.desk.api.post(`/v1/webhooks/replay-jobs/${id}/cancel`);
  }
}

export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}
