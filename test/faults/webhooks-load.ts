import { requireData } from '../support/api.js';
import type { Receiver } from '../support/receiver.js';
import type { RandomChoices } from './random-choices.js';
import { RECEIVER_BEHAVIOURS } from './receiver-behaviours.js';
import { createTrace, type RecordingClient } from './recording-client.js';

const ENDPOINTS = '/v1/webhooks/endpoints';
const DELIVERIES = '/v1/webhooks/deliveries';
const JOBS = '/v1/webhooks/replay-jobs';
const MAX_TEMPORARY = 3;
const HOUR_MS = 3_600_000;
const TYPES = ['product.approved', 'product.denied', 'community.post.created', 'subscription.created'];

/** The load on webhooks: creates, edits and deletes endpoints, rotates secrets, and replays deliveries. */
export class WebhooksLoad {
  private readonly stable: string[] = [];
  private readonly toggled: string[] = [];
  private readonly temporary: string[] = [];
  private readonly replayable: string[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly customer: RecordingClient,
    private readonly random: RandomChoices,
    private readonly receiver: Receiver,
  ) {}

  async prepare(): Promise<void> {
    for (const { path, eventType, isToggled } of RECEIVER_BEHAVIOURS)
      (isToggled ? this.toggled : this.stable).push(await this.register(path, eventType));
  }

  async createOrDelete(): Promise<void> {
    if (this.temporary.length < MAX_TEMPORARY)
      this.temporary.push(await this.register('/passing', this.random.pick(TYPES)));
    else await this.delete(this.temporary.shift()!);
  }

  async rotate(): Promise<void> {
    const path = `${ENDPOINTS}/${this.pickEndpoint()}/secret-rotations`;
    await this.customer.write({ path, key: this.random.createMark('rotation'), effect: 'SecretRotated' });
  }

  async sendTestEvent(): Promise<void> {
    const path = `${ENDPOINTS}/${this.pickEndpoint()}/test-events`;
    await this.customer.write({ path, key: this.random.createMark('test'), effect: 'AttemptStarted' });
  }

  /** Changes the event types of an endpoint. */
  async changeTypes(): Promise<void> {
    if (this.temporary.length > 0)
      await this.edit(this.random.pick(this.temporary), {
        event_types: [...new Set([this.pickType(), this.pickType()])],
      });
  }

  async disableAndEnable(): Promise<void> {
    const id = this.random.pick(this.toggled);
    await this.edit(id, { status: 'disabled' });
    await this.replay();
    await this.edit(id, { status: 'enabled' });
  }

  /** Replays a delivery that was not replayed before. */
  async replay(): Promise<void> {
    if (this.replayable.length === 0) await this.findReplayable();
    const id = this.replayable.pop();
    if (id === undefined) return;
    await this.customer.write({
      path: `${DELIVERIES}/${id}/replay`,
      key: this.random.createMark('replay'),
      effect: 'AttemptStarted',
    });
  }

  /** Starts a replay job for one endpoint and sometimes cancels it. */
  async replayWindow(): Promise<void> {
    const body = {
      created_from: getHourAgo(),
      endpoint_id: this.random.pick([...this.stable, ...this.toggled]),
      include_missed: true,
    };
    const reply = await this.customer.write({
      path: JOBS,
      body,
      key: this.random.createMark('job'),
      effect: 'ReplayJobRequested',
    });
    if (reply?.status !== 201 || this.random.pick([true, false])) return;
    await this.customer.write({
      path: `${JOBS}/${reply.body.data.id}/cancel`,
      key: this.random.createMark('cancel'),
      effect: 'ReplayJobCancelRequested',
    });
  }

  private async register(path: string, type: string): Promise<string> {
    const key = this.random.createMark('endpoint');
    const body = { url: this.receiver.url(path), event_types: [type], description: key };
    return requireData((await this.customer.write({ path: ENDPOINTS, body, key, effect: 'EndpointCreated' }))!).id;
  }

  private async edit(id: string, changes: object): Promise<void> {
    const description = this.random.createMark('description');
    const leaves = [createTrace('EndpointEdited', 'description', description)];
    await this.customer.write({
      method: 'PATCH',
      path: `${ENDPOINTS}/${id}`,
      body: { ...changes, description },
      traces: leaves,
    });
  }

  /** Deletes an endpoint; keeps it for a later try if the outcome is unknown, because their number is limited. */
  private async delete(id: string): Promise<void> {
    const request = {
      method: 'DELETE',
      path: `${ENDPOINTS}/${id}`,
      requestId: this.random.createMark('deletion'),
      effect: 'EndpointDeleted',
    } as const;
    const reply = await this.customer.write(request);
    if (reply === null || reply.status >= 500) this.temporary.push(id);
  }

  private async findReplayable(): Promise<void> {
    const listed = requireData(await this.customer.read(`${DELIVERIES}?limit=100`)) as { readonly id: string }[];
    for (const { id } of listed.filter((delivery) => !this.seen.has(delivery.id))) {
      this.seen.add(id);
      this.replayable.push(id);
    }
  }

  private pickEndpoint(): string {
    return this.random.pick([...this.stable, ...this.toggled, ...this.temporary]);
  }

  private pickType(): string {
    return this.random.pick(TYPES);
  }
}

function getHourAgo(): string {
  return new Date(Date.now() - HOUR_MS).toISOString();
}
