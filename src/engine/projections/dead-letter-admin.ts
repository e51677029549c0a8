import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { collectionOf } from '../../kernel/projection.js';
import { ReadModels, type Where } from '../../kernel/read-models.js';
import { Builds } from '../builds/builds.js';
import { bumpDeadLetters } from '../builds/catalogue.js';
import { Registry } from '../registry.js';
import { Streams } from '../streams/streams.js';
import { blockKeyOf, type DeadLetter, fromStored, type StoredDeadLetter } from './dead-letter.js';
import { DEAD_LETTERS, DeadLetters, deadLettersSchema, updateDeadLetter } from './dead-letters.js';
import { Projector } from './projector.js';
import { projectionSkipsDecider } from './skips.js';

/** Sorts after the version and number in every build name. */
const LAST = '~';
/** Maximum number of builds of one projection that have a dead letter of the same event. */
const MAX_BUILDS = 100;

interface ListDeadLetters {
  /** `products` selects all its builds; `products@1#2` selects that build. */
  readonly projection?: string;
  readonly limit: number;
}

/** Operator commands for dead letters; they work with and without a running service. */
@Injectable()
export class DeadLetterAdmin {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly registry: Registry,
    private readonly builds: Builds,
    private readonly streams: Streams,
  ) {}

  /** Returns the newest dead letters first. */
  list({ projection, limit }: ListDeadLetters): Promise<DeadLetter[]> {
    return this.find(projection === undefined ? {} : buildFilter(projection), limit);
  }

  async get(id: string): Promise<DeadLetter | null> {
    await this.readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
    const [row] = await this.readModels.load(DEAD_LETTERS, [id]);
    const stored = (row?.document ?? null) as StoredDeadLetter | null;
    return stored && fromStored(stored);
  }

  /**
   * Folds the events that the dead letter blocks, from the failed event on.
   * @returns the remaining dead letter, or null when it is folded; with `retry` when this process does not have the
   * code of its build
   */
  async retry(deadLetter: DeadLetter): Promise<DeadLetter | null> {
    await this.release(deadLetter);
    await this.retryBuild(deadLetter.projection);
    return this.get(deadLetter.id);
  }

  /**
   * Skips a failed event for the document in every build of every version, and folds the events that were set aside
   * after it.
   */
  async skip(deadLetter: DeadLetter, reason: string, context: Context): Promise<DeadLetter | null> {
    const { document, event: eventId } = deadLetter;
    const projection = parseProjectionName(deadLetter.projection);
    await this.streams.execute(
      projectionSkipsDecider,
      projection,
      { type: 'SkipEvent', projection, document, eventId, reason },
      context,
    );
    for (const same of await this.find({ event: eventId, ...buildFilter(projection) }, MAX_BUILDS)) {
      await this.release(same);
      await this.retryBuild(same.projection);
    }
    return this.get(deadLetter.id);
  }

  private async release(deadLetter: DeadLetter): Promise<void> {
    const groups = await new DeadLetters(this.readModels, this.clock, deadLetter.projection).load();
    const others = groups.get(blockKeyOf(deadLetter)) ?? [];
    for (const blocking of others.filter(({ blocking }) => blocking))
      await updateDeadLetter(this.readModels, { ...blocking, retry: true });
  }

  /** A process that follows the same build retries too, once it sees the change: both runs have the same result. */
  private async retryBuild(build: string): Promise<void> {
    const { store, readModels, clock } = this;
    const name = build.slice(0, build.indexOf('#'));
    const projection = this.registry.projections.find((one) => collectionOf(one) === name);
    if (projection !== undefined) await new Projector(projection, { store, readModels, clock }, build).refresh();
    await this.builds.change(name, bumpDeadLetters);
  }

  private async find(where: Where, limit: number): Promise<DeadLetter[]> {
    await this.readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
    const found = await this.readModels.find<StoredDeadLetter>(DEAD_LETTERS, { where, orderBy: 'created_at', limit });
    return found.map(fromStored);
  }
}

function buildFilter(projection: string): Where {
  return {
    projection: projection.includes('#') ? projection : { from: `${projection}@`, to: `${projection}@${LAST}` },
  };
}

function parseProjectionName(build: string): string {
  return build.slice(0, build.indexOf('@'));
}
