import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { addMs, Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { Position } from '../../kernel/position.js';
import { Backlogs } from '../delivery/backlogs.js';
import { type NewDeliveryJob, toAutomaticJob } from '../delivery/delivery-jobs.js';
import type { BackfillRun } from '../delivery/replay-queues.js';
import { ReplayThrottle } from '../delivery/replay-throttle.js';
import { planChain } from '../domain/chain-plan.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainFacts, WaitingChain } from '../domain/delivery-chain/facts.js';
import { deliveryIdOf } from '../domain/delivery-id.js';
import { type KnownEndpoint, toEndpointState } from '../domain/endpoint.js';
import type { ReplayJobFacts } from '../domain/replay-job.js';
import { deliveries } from '../projections/deliveries.js';
import { type PublicEventDocument, publicEvents } from '../projections/public-events.js';
import { toEventFilter } from '../queries/never-planned.queries.js';

/** The most attempts of a job that wait in the backlog: a cancellation drops them, and the other events stay unplanned. */
const MAX_AHEAD = 200;
/** A page, at most so many milliseconds for each event, takes no longer than a run. */
const PAGE_SIZE = 20;
const MAX_PLAN_MS = 50;
const PLANS_PER_SEND = 2;
/** Limits a run, so that it does not delay a shutdown. */
const MAX_RUN_MS = 1_000;

type Progress = Pick<BackfillRun['data'], 'after' | 'lastDue' | 'isPlanned'>;

/** A job, and the position of the last event that it plans. */
export interface Backfill {
  readonly facts: ReplayJobFacts;
  readonly until: Position;
}

/** Plans the delivery chains of a replay job in the order of the log, page by page. */
@Injectable()
export class BackfillPlanner {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly backlogs: Backlogs,
    private readonly throttle: ReplayThrottle,
    private readonly clock: Clock,
  ) {}

  /** Plans until enough attempts wait, the time of the run is over, or no event is left. */
  async planAhead(
    backfill: Backfill,
    endpoint: KnownEndpoint,
    { data }: BackfillRun,
    context: Context,
  ): Promise<Progress> {
    let progress: Progress = data;
    let room = MAX_AHEAD - (await this.backlogs.countWaiting(endpoint.id, ['backfill']));
    const until = this.clock.monotonic() + MAX_RUN_MS;
    while (!progress.isPlanned && room >= PAGE_SIZE && this.clock.monotonic() < until) {
      const page = await this.planPage(backfill, endpoint, progress, context);
      progress = page.progress;
      room -= page.planned;
    }
    return progress;
  }

  private async planPage(backfill: Backfill, endpoint: KnownEndpoint, { after, lastDue }: Progress, context: Context) {
    const { facts, until } = backfill;
    const where = { ...toEventFilter(facts, endpoint), _position: { to: until } };
    const find = { where, orderBy: '_position', ascending: true, after: after ?? undefined, limit: PAGE_SIZE } as const;
    const { documents, next } = await this.reader.findSlice(publicEvents, find, context.consistency);
    const chains = await this.planChains(documents, facts.replayJobId, endpoint, { lastDue, context });
    await this.backlogs.addBackfill(
      endpoint.id,
      chains.map((chain) => toJob(chain, context)),
    );
    const progress = { after: next, lastDue: chains.at(-1)?.dueAt ?? lastDue, isPlanned: next === null };
    return { progress, planned: chains.length };
  }

  /** Returns the chains that this job has planned, now or in an earlier run, and that have no attempt yet. */
  private async planChains(
    documents: readonly PublicEventDocument[],
    plannedBy: string,
    endpoint: KnownEndpoint,
    { lastDue, context }: { readonly lastDue: string | null; readonly context: Context },
  ): Promise<readonly WaitingChain[]> {
    const all = documents.flatMap((document) => planChain(toPlannedEvent(document), endpoint) ?? []);
    const chains: WaitingChain[] = [];
    for (const facts of await this.omitDelivered(all)) {
      await this.waitForPlan(endpoint);
      const dueAt = this.findDueAfter(chains.at(-1)?.dueAt ?? lastDue);
      const command = { type: 'BackfillDeliveryChain', facts: { ...facts, plannedBy }, dueAt } as const;
      const endpointState = toEndpointState(endpoint);
      const { state } = await this.streams.execute(
        deliveryChainDecider,
        facts.chainId,
        { ...command, endpointState },
        createChildContext(context, facts.chainId),
      );
      if (state.status === 'waiting' && state.attempts === 0 && state.facts.plannedBy === plannedBy) chains.push(state);
    }
    return chains;
  }

  /** Plans as evenly as the backlog sends, and faster: a burst of plans would delay live deliveries. */
  private async waitForPlan({ id, settings }: KnownEndpoint): Promise<void> {
    await this.throttle.waitForStep();
    const { intervalMs } = this.throttle.forEndpoint(id, settings.rateLimitPerSecond);
    await this.clock.sleep(Math.min(intervalMs / PLANS_PER_SEND, MAX_PLAN_MS));
  }

  /** Omits most chains that have a delivery, without a read of each stream. */
  private async omitDelivered(chains: readonly DeliveryChainFacts[]): Promise<readonly DeliveryChainFacts[]> {
    const firstOf = ({ chainId }: DeliveryChainFacts) => deliveryIdOf(chainId, 1);
    const found = await this.reader.getExisting(deliveries, chains.map(firstOf));
    return chains.filter((chain) => !found.has(firstOf(chain)));
  }

  /** Each chain is due after the one before, so that the backlog keeps the order of the log. */
  private findDueAfter(previous: string | null): string {
    const now = toIso(this.clock.now());
    return previous === null || previous < now ? now : addMs(previous, 1);
  }
}

function toPlannedEvent({ id, type, version, occurred_at, _business, _mode }: PublicEventDocument) {
  return { eventId: id, type, version, occurredAt: occurred_at, businessId: _business, mode: _mode };
}

function toJob(chain: WaitingChain, { correlationId, causationId }: Context): NewDeliveryJob {
  return toAutomaticJob(chain, { correlationId, causationId }, chain.dueAt);
}
