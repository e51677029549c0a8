import { Progress, type Context } from '../../src/kernel/context.js';
import { DAY_MS, iso } from '../../src/kernel/clock.js';
import { uuidV5 } from '../../src/kernel/ids.js';
import { Rejection } from '../../src/kernel/rejection.js';
import { misrecorded } from './told.js';
import { BEGINNING } from './life.js';
import type { Luck } from './luck.js';
import * as wishes from './wishes.js';
import type { Wish } from './wishes.js';
import { UNLUCKY } from './fussy-jars.js';
import type { ReplayWindow } from '../../src/webhooks/domain/replay-job.js';
import type { Readers } from './readers.js';
import type { World } from './world.js';

const NAMESPACE = '00000000-0000-4000-8000-000000000000';
const JARS = ['jar_1', 'jar_2'];
const RECEIVERS = ['one', 'two', 'three'];
const FOUNDED = ['community.created'];
const OTHERS = ['product.approved'];
const LONGEST_BEFORE_AGAIN_MS = 3_000;

/** The response to one request, as the client knows it. `silence`: no response so far. */
type Told = 'silence' | 'done' | 'refused' | 'unknown';

export interface Sent {
  readonly label: string;
  readonly wish: Wish;
  readonly commandId: string;
  readonly told: Told[];
}

/** Simulated clients. They send requests to any process and repeat a request without a clear response. */
export class Clients {
  readonly sent: Sent[] = [];
  /** The secrets, by the id of the request whose response showed them. */
  readonly secrets = new Map<string, string>();
  /** Requests with the response "done" whose events were not in the log. */
  readonly toldTooEarly: string[] = [];
  /** Rejections that the log does not justify. */
  readonly toldWrongly: string[] = [];

  constructor(
    private readonly world: World,
    private readonly luck: Luck,
    private readonly readers: Readers,
  ) {}

  /** Creates two endpoints early and sends random requests within the first `ms`. */
  begin(ms: number): void {
    const { timeline } = this.world;
    for (const receiver of RECEIVERS.slice(0, 2))
      timeline.after(this.luck.between(0, ms / 10), () => this.wishFor(endpointAt(receiver, FOUNDED)));
    for (let left = this.luck.whole(12, 36); left > 0; left--) timeline.after(this.luck.between(0, ms), () => this.wishFor(this.drawn()));
  }

  private drawn(): Wish | null {
    const { luck } = this;
    const draw = luck.oneOfShares<() => Wish | null>([
      [30, () => wishes.foundCommunity()],
      [22, () => wishes.addCoins(luck.oneOf(JARS), luck.whole(1, 2))],
      [3, () => wishes.addCoins(luck.oneOf(JARS), 1, UNLUCKY)],
      [2, () => wishes.breakJar(luck.oneOf(JARS))],
      [5, () => endpointAt(luck.oneOf(RECEIVERS), luck.oneOf([FOUNDED, OTHERS, ['*']]))],
      [14, () => this.ofEndpoint((id) => this.edit(id))],
      [6, () => this.ofEndpoint(wishes.rotateSecret)],
      [2, () => this.ofEndpoint(wishes.deleteEndpoint)],
      [4, () => this.ofEndpoint(wishes.sendTest)],
      [8, () => this.ofAttempt(wishes.replay)],
      [7, () => wishes.requestReplayJob(this.window())],
      [2, () => this.ofRecorded('ReplayJobRequested', 'replayJobId', wishes.cancelReplayJob)],
    ]);
    return draw();
  }

  private edit(id: string): Wish {
    const { luck } = this;
    const changes = luck.chance(0.3) ? { eventTypes: luck.oneOf([FOUNDED, OTHERS]) } : {};
    return wishes.editEndpoint(id, changes, luck.oneOf(['enabled', 'enabled', 'disabled'] as const));
  }

  /** Returns a replay window of all failed or missed deliveries. */
  private window(): ReplayWindow {
    const { luck } = this;
    const created = this.world.stores.events.log.filter(({ type }) => type === 'EndpointCreated');
    const one = created.length > 0 && luck.chance(0.5) ? (luck.oneOf(created).data as { readonly endpointId: string }) : null;
    return {
      createdFrom: iso(BEGINNING - DAY_MS),
      createdTo: iso(BEGINNING + Math.floor(this.world.timeline.now)),
      endpointId: one?.endpointId ?? null,
      eventTypes: [],
      statuses: ['failed', 'abandoned'],
      includeMissed: luck.chance(0.5),
    };
  }

  private ofEndpoint(wish: (id: string) => Wish): Wish | null {
    return this.ofRecorded('EndpointCreated', 'endpointId', wish);
  }

  private ofAttempt(wish: (id: string) => Wish): Wish | null {
    return this.ofRecorded('AttemptStarted', 'deliveryId', wish);
  }

  private ofRecorded(type: string, key: string, wish: (id: string) => Wish): Wish | null {
    const recorded = this.world.stores.events.log.filter((event) => event.type === type);
    const aboutIt = (id: string) => ({ ...wish(id), about: id });
    return recorded.length === 0 ? null : aboutIt((this.luck.oneOf(recorded).data as Readonly<Record<string, string>>)[key]!);
  }

  private wishFor(wish: Wish | null): void {
    if (wish === null) return;
    const label = `request-${this.sent.length + 1}`;
    const sent: Sent = { label, wish, commandId: uuidV5(NAMESPACE, label), told: [] };
    this.sent.push(sent);
    const at = BEGINNING + Math.floor(this.world.timeline.now);
    this.send(sent, at);
    if (this.luck.chance(0.1)) this.send(sent, at);
  }

  private send(sent: Sent, at: number): void {
    const process = this.world.anyProcess(this.luck);
    if (process === null) return;
    const time = sent.told.push('silence') - 1;
    this.world.trace.tell(`${sent.label} ${sent.wish.name} → ${process.name}`);
    const context = this.contextOf(sent, at);
    const hear = (told: Told) => !process.life.over && this.hear(sent, time, told, context);
    sent.wish.do(process, context).then(
      (secret) => {
        if (secret !== null) this.secrets.set(sent.label, secret);
        hear('done');
      },
      (error: unknown) => {
        if (error instanceof Rejection) this.judgeRefusal(sent, error);
        hear(error instanceof Rejection ? 'refused' : 'unknown');
      },
    );
  }

  /** Checks a `not_found` rejection: the resource existed before the request, so it must have been deleted. */
  private judgeRefusal({ label, wish }: Sent, { code }: Rejection): void {
    if (code !== 'not_found' || wish.about === undefined) return;
    const { log } = this.world.stores.events;
    const isDeleted = log.some(
      ({ type, data }) => type === 'EndpointDeleted' && (data as { endpointId: string }).endpointId === wish.about,
    );
    if (!isDeleted) this.toldWrongly.push(`${label} ${wish.name} was rejected because ${wish.about} is missing`);
  }

  private hear(sent: Sent, time: number, told: Told, { at, progress }: Context): void {
    sent.told[time] = told;
    this.world.trace.tell(`${sent.label} ${sent.wish.name}, request ${time + 1}, got the response: ${told}`);
    const { category, jarId } = sent.wish;
    if (told === 'unknown') this.sendAgain(sent, at);
    if (told !== 'done') return;
    this.toldTooEarly.push(...misrecorded(sent, this.world.stores.events.log));
    if (category === 'endpoint' && this.luck.chance(0.5)) this.soon(() => this.wishFor(wishes.foundCommunity()));
    if (jarId !== undefined) this.readers.read(jarId, progress.position);
  }

  /** Runs a task soon after an endpoint changed its subscription. */
  private soon(happen: () => void): void {
    this.world.timeline.after(this.luck.between(0, 100), happen);
  }

  private sendAgain(sent: Sent, at: number): void {
    if (sent.told.length < 4) this.world.timeline.after(this.luck.between(0, LONGEST_BEFORE_AGAIN_MS), () => this.send(sent, at));
  }

  private contextOf({ label, commandId }: Sent, at: number): Context {
    return {
      commandId,
      at,
      correlationId: label,
      causationId: label,
      actor: { type: 'api_key', id: 'key_1' },
      business: 'biz_1',
      mode: 'live',
      requestId: label,
      progress: new Progress(),
    };
  }
}

function endpointAt(receiver: string, eventTypes: readonly string[]): Wish {
  return wishes.createEndpoint(`https://${receiver}.example.com/${receiver}`, eventTypes);
}
