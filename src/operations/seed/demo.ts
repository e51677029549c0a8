import { Streams } from '../../engine/streams/streams.js';
import { CreateBusiness } from '../../identity/commands/business.commands.js';
import { businessDecider } from '../../identity/domain/business.js';
import { Users } from '../../identity/users.js';
import { OperatorError } from '../operators/operator-error.js';
import { DemoCommunity } from './demo-community.js';
import type { DemoPeriod } from './demo-period.js';
import type { DemoService } from './demo-service.js';
import { DemoSession, type DemoUser } from './demo-session.js';
import { DemoShop } from './demo-shop.js';
import { DemoWebhooks } from './demo-webhooks.js';
import { SeededChoices } from './seeded-choices.js';

/** The user that the command line acts as by default. */
const OWNER_SUBJECT = 'owner';

export interface DemoOptions {
  readonly seed: number;
  readonly period: DemoPeriod;
  readonly signal: AbortSignal;
  readonly onDay: (day: number, events: number) => void;
}

interface DemoPart {
  runDay(day: number, now: number): Promise<void>;
}

/** A shop and a community with a year of history. Everything follows from the seed. */
export class Demo {
  private readonly session: DemoSession;
  /** Chooses the time of each day. */
  private readonly choices: SeededChoices;

  constructor(
    private readonly service: DemoService,
    private readonly options: DemoOptions,
  ) {
    const { period, seed } = options;
    this.session = new DemoSession(service, period.startMs, `demo-${seed}-${period.days}`);
    this.choices = new SeededChoices(seed);
  }

  async create() {
    const { days } = this.options.period;
    const ownerId = await this.service.get(Users).resolveSubject(OWNER_SUBJECT, 'owner@example.com');
    const owner = { id: ownerId, business: null, mode: 'live' } as const;
    const creation = new CreateBusiness(this.session.createContext(owner, 'business'), { name: 'Demo', ownerId });
    const business = await this.session.run(creation);
    await this.requireSameOptions(business.id);
    const [shop, community] = await this.open({ ...owner, business: business.id });
    const seller = { ...owner, business: business.id, mode: 'test' } as const;
    const webhooks = new DemoWebhooks(this.session, seller, days);
    for (let day = 0; day < days && !this.options.signal.aborted; day++)
      await this.runDay(day, [webhooks, shop, community]);
    await this.service.settle();
    return this.summarize(business.id, shop, community);
  }

  private async open(owner: DemoUser): Promise<[DemoShop, DemoCommunity]> {
    // Shop and community run at the same time, so each has its own choices.
    const { seed } = this.options;
    const shop = new DemoShop(this.session, { ...owner, mode: 'test' }, new SeededChoices(seed + 1));
    const community = new DemoCommunity(this.service, this.session, owner, new SeededChoices(seed + 2));
    await shop.open(this.options.period.startMs);
    await community.open();
    return [shop, community];
  }

  /**
   * The clock moves when nothing is left to do, so that each event has the time of its day. The jobs of the new day run
   * before its commands, so that every demo records the same events.
   */
  private async runDay(day: number, parts: readonly DemoPart[]): Promise<void> {
    await this.service.settle();
    const now = this.options.period.timeIn(day, this.choices.next());
    this.service.clock.set(now);
    this.session.at = now;
    await this.service.settle();
    await Promise.all(parts.map((part) => part.runDay(day, now)));
    this.options.onDay(day + 1, this.service.recordedEvents);
  }

  private summarize(business: string, shop: DemoShop, community: DemoCommunity) {
    const { orders, productIds, subscriptionCount: subscriptions } = shop;
    const { id, posts, members } = community;
    return {
      business: { id: business },
      community: { id },
      recorded_events: this.service.recordedEvents,
      ...{ products: productIds.length, orders, subscriptions, members: members.length, posts },
    };
  }

  /** Other choices would follow from other options. A demo of an earlier version did not record them. */
  private async requireSameOptions(businessId: string): Promise<void> {
    const [created] = await this.service.get(Streams).loadHistory(businessDecider, businessId);
    const recorded = created?.meta.requestId ?? null;
    if (recorded === null || recorded === this.session.requestId) return;
    const [, seed, days] = recorded.split('-');
    throw new OperatorError(
      'operation_refused',
      `the store has a demo of --seed ${seed} --days ${days}: repeat these options, or set DATA_DIR to a new folder`,
    );
  }
}
