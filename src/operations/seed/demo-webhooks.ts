import { DAY_MS, toIso } from '../../kernel/clock.js';
import { CreateEndpoint } from '../../webhooks/commands/endpoint.commands.js';
import { RequestReplayJob } from '../../webhooks/commands/replay-job.commands.js';
import { RECEIVERS } from './demo-receivers.js';
import type { DemoSession, DemoUser } from './demo-session.js';

/** Deliveries are the most frequent events, so only the last days have endpoints. */
const WEBHOOK_DAYS = 30;
/** The day of the replay job, from the end. The receiver that failed is repaired before it. */
const REPLAY_DAYS = 5;

const ENDPOINTS = [
  {
    url: RECEIVERS.fulfilment,
    description: 'Fulfilment',
    eventTypes: ['cart.order.completed', 'subscription.cancelled'],
  },
  { url: RECEIVERS.accounting, description: 'Accounting', eventTypes: ['cart.order.completed'] },
  { url: RECEIVERS.newsletter, description: 'Newsletter', eventTypes: ['subscription.created'] },
];

/** The endpoints of the shop. One receiver works, one fails for days and recovers, and one is gone. */
export class DemoWebhooks {
  private readonly opensOn: number;
  private readonly replaysOn: number;

  constructor(
    private readonly session: DemoSession,
    private readonly integrator: DemoUser,
    days: number,
  ) {
    this.opensOn = Math.max(0, days - WEBHOOK_DAYS);
    this.replaysOn = days - REPLAY_DAYS;
  }

  async runDay(day: number, now: number): Promise<void> {
    if (day === this.opensOn) await this.open();
    if (day === this.replaysOn) await this.replay(now);
  }

  private async open(): Promise<void> {
    for (const { url, description, eventTypes } of ENDPOINTS) {
      const settings = { url, description, eventTypes, rateLimitPerSecond: null, notificationEmails: [], metadata: {} };
      await this.session.run(new CreateEndpoint(this.createContext(description), { settings, status: 'enabled' }));
    }
  }

  /** Sends again what failed before this day. */
  private async replay(now: number): Promise<void> {
    const window = {
      scope: 'failed',
      createdFrom: toIso(now - WEBHOOK_DAYS * DAY_MS),
      createdTo: toIso(now - DAY_MS),
      endpointId: null,
      eventTypes: [],
      statuses: ['failed', 'abandoned'],
      includeMissed: false,
    } as const;
    await this.session.attempt(new RequestReplayJob(this.createContext('replay'), window));
  }

  private createContext(...label: readonly string[]) {
    return this.session.createContext(this.integrator, 'webhooks', ...label);
  }
}
