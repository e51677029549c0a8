import { Injectable } from '@nestjs/common';
import type { Again, JobHandler } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import type { Run } from '../domain/chain.js';
import { endpoint } from '../domain/endpoint.js';
import { replayJob } from '../domain/replay-job.js';
import { laneIdOf, replayLane } from '../domain/replay-lane.js';
import { contextOfJob } from '../sending/chain-jobs.js';
import { Redeliveries, type Selected } from '../sending/redeliveries.js';
import { REPLAY_LANES, type ReplayLaneRun } from '../sending/replay-job-queues.js';
import { ReplayPace, type EndpointPace } from '../sending/replay-pace.js';
import type { Slot } from '../sending/slots.js';
import { ReplayFaults } from './replay-faults.js';

const LANES_AT_ONCE = 500;
/** Limits a run, so that it does not delay a shutdown. The next run continues at the same record. */
const RUN_MS = 2_000;
const RELEASED_A_RUN = 500;
const NO_SLOT: Slot = { release: () => undefined };

interface Lane {
  readonly job: ReplayLaneRun;
  readonly context: Context;
  readonly pace: EndpointPace;
}

/** Redelivers the delivery chains that replay jobs hold, one batch for each endpoint, the oldest event first. */
@Injectable()
export class RedeliverLanes {
  readonly name = 'redeliver-lanes';
  readonly handler: JobHandler;

  constructor(
    private readonly streams: Streams,
    private readonly redeliveries: Redeliveries,
    private readonly pace: ReplayPace,
    private readonly faults: ReplayFaults,
    private readonly clock: Clock,
  ) {
    const run = (job: ReplayLaneRun) =>
      this.run(job).catch((error: unknown) => this.faults.after(error, job, contextOfJob(job, this.name)));
    this.handler = { queue: REPLAY_LANES, concurrency: LANES_AT_ONCE, run };
  }

  private async run(job: ReplayLaneRun): Promise<void | Again> {
    const laneId = laneIdOf(job.data);
    const { records, settled } = await this.streams.state(replayLane, laneId);
    const lane = { job, context: contextOfJob(job, this.name), pace: await this.paceOf(job) };
    const { replayJobId, endpointId } = job.data;
    const through = settled + (await this.settleSome(records.slice(settled), lane));
    const command = { type: 'RecordSettled', replayJobId, endpointId, through } as const;
    await this.streams.execute(replayLane, laneId, command, step(lane.context, 'settled'));
    if (through < records.length) return { again: iso(this.clock.now() + lane.pace.eachMs), why: 'there is more to do' };
    await this.streams.execute(replayJob, replayJobId, { type: 'EndLane', endpointId }, step(lane.context, 'end'));
  }

  private async settleSome(records: readonly string[], lane: Lane): Promise<number> {
    return (await this.isRunning(lane)) ? this.redeliver(records, lane) : this.release(records.slice(0, RELEASED_A_RUN), lane);
  }

  /** Starts several redeliveries and waits for all of them, also when one fails. Returns how many it started. */
  private async redeliver(records: readonly string[], lane: Lane): Promise<number> {
    const until = this.clock.monotonic() + RUN_MS;
    const underWay: Promise<void>[] = [];
    const failures: unknown[] = [];
    const failed = (error: unknown) => void failures.push(error);
    for (const record of records) {
      const slot = failures.length > 0 ? null : await this.slotFor(record, lane, until).catch(failed);
      if (!slot) break;
      const sent = this.redeliveries.redeliver(selected(record, lane), runOf(lane), lane.context);
      underWay.push(sent.finally(() => slot.release()).catch(failed));
    }
    await Promise.all(underWay);
    if (failures.length > 0) throw failures[0];
    return underWay.length;
  }

  /**
   * Returns null when the run must end, because its time is over or the job is not running. A chain that the job does
   * not hold was skipped or sent before, and needs no slot.
   */
  private async slotFor(record: string, lane: Lane, until: number): Promise<Slot | null> {
    if (this.clock.monotonic() >= until) return null;
    const slot = (await this.redeliveries.isHeld(selected(record, lane))) ? await lane.pace.slot(until) : await this.noSlot();
    if (slot === null || (await this.isRunning(lane))) return slot;
    slot.release();
    return null;
  }

  private async noSlot(): Promise<Slot> {
    await this.pace.step();
    return NO_SLOT;
  }

  private async release(records: readonly string[], lane: Lane): Promise<number> {
    for (const record of records) {
      await this.pace.step();
      await this.redeliveries.release(selected(record, lane), lane.context);
    }
    return records.length;
  }

  private async isRunning({ job: { data } }: Lane): Promise<boolean> {
    return (await this.streams.state(replayJob, data.replayJobId)).status === 'running';
  }

  private async paceOf({ data: { endpointId } }: ReplayLaneRun): Promise<EndpointPace> {
    const found = await this.streams.state(endpoint, endpointId);
    return this.pace.ofEndpoint(endpointId, 'settings' in found ? found.settings.rateLimitPerSecond : null);
  }
}

function runOf({ job: { key, attempt } }: Lane): Run {
  return { job: key, attempt };
}

function selected(record: string, { job: { data } }: Lane): Selected {
  const { replayJobId, endpointId } = data;
  return { replayJobId, endpointId, record };
}
