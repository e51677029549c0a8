import { dataOf } from '../support/api.js';
import type { Receiver } from '../support/receiver.js';
import { trace, type Customer } from './customer.js';
import type { Luck } from './luck.js';
import { TEMPERS } from './tempers.js';

const ENDPOINTS = '/v1/webhooks/endpoints';
const DELIVERIES = '/v1/webhooks/deliveries';
const JOBS = '/v1/webhooks/replay-jobs';
const PASSING = 3;
const HOUR_MS = 3_600_000;
const TYPES = ['product.approved', 'product.denied', 'community.post.created', 'subscription.created'];

/** The load on webhooks: creates, edits and deletes endpoints, rotates secrets, and replays deliveries. */
export class Listening {
  private readonly constant: string[] = [];
  private readonly moody: string[] = [];
  private readonly passing: string[] = [];
  private readonly replayable: string[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly customer: Customer,
    private readonly luck: Luck,
    private readonly receiver: Receiver,
  ) {}

  async prepare(): Promise<void> {
    for (const { path, wants, isMoody } of TEMPERS) (isMoody ? this.moody : this.constant).push(await this.register(path, wants));
  }

  async comeOrGo(): Promise<void> {
    if (this.passing.length < PASSING) this.passing.push(await this.register('/passing', this.luck.oneOf(TYPES)));
    else await this.delete(this.passing.shift()!);
  }

  async rotate(): Promise<void> {
    const path = `${ENDPOINTS}/${this.anyOne()}/secret-rotations`;
    await this.customer.write({ path, key: this.luck.mark('rotation'), effect: 'SecretRotated' });
  }

  async test(): Promise<void> {
    const path = `${ENDPOINTS}/${this.anyOne()}/test-events`;
    await this.customer.write({ path, key: this.luck.mark('test'), effect: 'AttemptStarted' });
  }

  /** Changes the event types of an endpoint. */
  async changeTypes(): Promise<void> {
    if (this.passing.length > 0) await this.edit(this.luck.oneOf(this.passing), { event_types: [...new Set([this.type(), this.type()])] });
  }

  async disableAndEnable(): Promise<void> {
    const id = this.luck.oneOf(this.moody);
    await this.edit(id, { status: 'disabled' });
    await this.replay();
    await this.edit(id, { status: 'enabled' });
  }

  /** Replays a delivery that was not replayed before. */
  async replay(): Promise<void> {
    if (this.replayable.length === 0) await this.lookForDeliveries();
    const id = this.replayable.pop();
    if (id === undefined) return;
    await this.customer.write({ path: `${DELIVERIES}/${id}/replay`, key: this.luck.mark('replay'), effect: 'AttemptStarted' });
  }

  /** Starts a replay job for one endpoint and sometimes cancels it. */
  async replayWindow(): Promise<void> {
    const body = { created_from: hourAgo(), endpoint_id: this.luck.oneOf([...this.constant, ...this.moody]), include_missed: true };
    const reply = await this.customer.write({ path: JOBS, body, key: this.luck.mark('job'), effect: 'ReplayJobRequested' });
    if (reply?.status !== 201 || this.luck.oneOf([true, false])) return;
    await this.customer.write({
      path: `${JOBS}/${reply.body.data.id}/cancel`,
      key: this.luck.mark('cancel'),
      effect: 'ReplayJobCancelRequested',
    });
  }

  private async register(path: string, type: string): Promise<string> {
    const key = this.luck.mark('endpoint');
    const body = { url: this.receiver.url(path), event_types: [type], description: key };
    return dataOf((await this.customer.write({ path: ENDPOINTS, body, key, effect: 'EndpointCreated' }))!).id;
  }

  private async edit(id: string, changes: object): Promise<void> {
    const description = this.luck.mark('description');
    const leaves = [trace('EndpointEdited', 'description', description)];
    await this.customer.write({ method: 'PATCH', path: `${ENDPOINTS}/${id}`, body: { ...changes, description }, leaves });
  }

  /** Deletes an endpoint; keeps it for a later try if the outcome is unknown, because their number is limited. */
  private async delete(id: string): Promise<void> {
    const wish = {
      method: 'DELETE',
      path: `${ENDPOINTS}/${id}`,
      requestId: this.luck.mark('deletion'),
      effect: 'EndpointDeleted',
    } as const;
    const reply = await this.customer.write(wish);
    if (reply === null || reply.status >= 500) this.passing.push(id);
  }

  private async lookForDeliveries(): Promise<void> {
    const listed = dataOf(await this.customer.read(`${DELIVERIES}?limit=100`)) as { readonly id: string }[];
    for (const { id } of listed.filter((delivery) => !this.seen.has(delivery.id))) {
      this.seen.add(id);
      this.replayable.push(id);
    }
  }

  private anyOne(): string {
    return this.luck.oneOf([...this.constant, ...this.moody, ...this.passing]);
  }

  private type(): string {
    return this.luck.oneOf(TYPES);
  }
}

function hourAgo(): string {
  return new Date(Date.now() - HOUR_MS).toISOString();
}
