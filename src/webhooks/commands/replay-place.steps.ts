import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { isOver, replayJob } from '../domain/replay-job.js';
import { jobsInTheWay, replayPlaces, replayPlacesId, type ReplayPlace } from '../domain/replay-places.js';

/** A job that was not requested within this time was left by a crash. */
const CREATION_MS = 60_000;

/**
 * The replay locks of a business. A job locks its endpoints before it is requested. A later job releases the locks of
 * finished jobs.
 */
@Injectable()
export class ReplayPlaceSteps {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `replay_job_conflict` */
  async take(replayJobId: string, endpointId: string | null, context: Context): Promise<void> {
    const taken = await this.streams.state(replayPlaces, placesOf(context));
    const inTheWay = jobsInTheWay(endpointId, taken).filter((job) => job !== replayJobId);
    await Promise.all(inTheWay.map((job) => this.freeIfOver(job, taken.get(job)!, context)));
    const command = { type: 'TakeReplayPlace', replayJobId, endpointId } as const;
    await this.streams.execute(replayPlaces, placesOf(context), command, step(context, 'take', replayJobId));
  }

  async free(replayJobId: string, context: Context): Promise<void> {
    const command = { type: 'FreeReplayPlace', replayJobId } as const;
    await this.streams.execute(replayPlaces, placesOf(context), command, step(context, 'free', replayJobId));
  }

  private async freeIfOver(replayJobId: string, { at }: ReplayPlace, context: Context): Promise<void> {
    let found = await this.streams.state(replayJob, replayJobId);
    if (found.status === 'unknown' && this.clock.now() - Date.parse(at) > CREATION_MS) {
      const forgo = { type: 'ForgoReplayJob', replayJobId } as const;
      found = (await this.streams.execute(replayJob, replayJobId, forgo, step(context, 'forgo', replayJobId))).state;
    }
    if (isOver(found)) await this.free(replayJobId, context);
  }
}

function placesOf({ business, mode }: Context): string {
  return replayPlacesId(business!, mode);
}
