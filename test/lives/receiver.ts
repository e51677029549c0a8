import { PUBLIC_EVENTS } from '../../src/features.js';
import { requireData } from '../support/api.js';
import { Receiver } from '../support/receiver.js';
import { reset, respondWith } from '../support/receiver-responses.js';
import { exceptPersons } from './consumer.js';
import { KnownStates, type PublicEvent } from './known-states.js';
import type { World } from './world/world.js';

const PATH = '/webhooks';
/** All types, with those that `*` leaves out. */
export const EVERY_NOUN = [...new Set(PUBLIC_EVENTS.map(({ type }) => `${type.split('.')[0]}.*`))];
const WORKS = respondWith(200);
/** How a receiver fails: it is overloaded, has no such path, or closes the connection. */
const FAILURES = [respondWith(503), respondWith(404), reset()];

interface Outage {
  readonly since: string;
  /** The actions until it returns. */
  remaining: number;
}

/** The seller's webhook receiver, which fails for some time and returns. It orders what it gets by `sequence`. */
export class SellersReceiver {
  private readonly states = new KnownStates();
  private readonly seen = new Set<string>();
  private handled = 0;
  private outage: Outage | null = null;

  private constructor(
    private readonly world: World,
    private readonly receiver: Receiver,
    private readonly endpointId: string,
  ) {}

  /** Starts it, and subscribes it to all events that follow. */
  static async start(world: World): Promise<SellersReceiver> {
    const receiver = await Receiver.start();
    const body = { url: receiver.url(PATH), event_types: EVERY_NOUN };
    const { id } = requireData(await world.api.post('/v1/webhooks/endpoints', body));
    return new SellersReceiver(world, receiver, id);
  }

  /** The bodies of all requests, in the order in which they came. */
  get bodies(): readonly string[] {
    return this.receiver.requests.map(({ body }) => body);
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  /** Lets it fail during this number of actions. */
  fail(actions: number): void {
    if (this.outage !== null) return;
    this.take();
    this.outage = { since: this.world.model.now, remaining: actions };
    this.world.service.holdsDeliveries = true;
    this.receiver.setResponses(PATH, this.world.choices.pick(FAILURES));
  }

  /** Returns when its time has come. */
  async passAction(): Promise<void> {
    if (this.outage === null || this.outage.remaining-- > 0) return;
    await this.return(this.outage.since);
  }

  async returnNow(): Promise<void> {
    if (this.outage !== null) await this.return(this.outage.since);
  }

  /** Works again. The seller enables the endpoint, and replays what failed or was missed since then. */
  private async return(since: string): Promise<void> {
    const { api, service } = this.world;
    this.handled = this.receiver.requests.length;
    this.outage = null;
    this.receiver.setResponses(PATH, WORKS);
    requireData(await api.patch(`/v1/webhooks/endpoints/${this.endpointId}`, { status: 'enabled' }));
    await service.settle();
    const body = { created_from: since, endpoint_id: this.endpointId, include_missed: true };
    const key = { 'idempotency-key': `since ${since}` };
    const job = requireData(await api.post('/v1/webhooks/replay-jobs', body, key));
    service.holdsDeliveries = false;
    await service.settle();
    const { status } = requireData(await api.get(`/v1/webhooks/replay-jobs/${job.id}`));
    this.world.require(status === 'completed' ? [] : [`the replay job is ${status}, expected completed`]);
  }

  /** Compares what it knows with the model, and the events that it got with those that were published. */
  check(published: ReadonlySet<string>): string[] {
    if (this.outage !== null) return [];
    this.take();
    const missing = [...published].filter((id) => !this.seen.has(id));
    return [
      ...missing.map((id) => `the receiver did not get ${id}`),
      ...exceptPersons(this.states.findDifferences(this.world)).map((one) => `at the receiver, ${one}`),
    ];
  }

  private take(): void {
    const { requests } = this.receiver;
    for (const { body } of requests.slice(this.handled)) {
      const event = JSON.parse(body) as PublicEvent;
      this.seen.add(event.id);
      this.states.remember(event);
    }
    this.handled = requests.length;
  }
}
