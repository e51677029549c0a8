import { type BackgroundWork, reportAndIgnore } from '../../kernel/background-errors.js';
import type { Checkpoints } from '../../kernel/checkpoints.js';
import type { Clock, Random } from '../../kernel/clock.js';
import type { EventPage, EventStore } from '../../kernel/event-store.js';
import { hashText } from '../../kernel/hash.js';
import { pickEarlier, type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { NewerEvent } from '../../kernel/upcasting.js';
import { findDocumentIds, PoisonEvent } from '../projections/apply-event.js';
import { findSkippedDocuments, replaceDocuments } from '../projections/fold-documents.js';
import { type RecordedSkip, Skips, withSkips } from '../projections/skips.js';
import { Retrier } from '../retrier.js';
import { type DocumentEvent, Shard } from './shard.js';
import type { LogReader, SharedLog } from './shared-log.js';
import { Throttle } from './throttle.js';

const SHARDS = 4;

export interface BuildTools {
  /** Shared with other builds that are filled at the same time. */
  readonly log: SharedLog;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly random: Random;
}

export interface BuildProgress {
  readonly events: number;
  readonly position: Position;
  readonly perSecond: number;
}

/**
 * Fills one build from the log, from its checkpoint on. After an interruption at any point the next run continues
 * there.
 */
export class BuildFiller<D extends object> {
  private readonly work: BackgroundWork;
  private readonly retrier: Retrier;
  private readonly throttle: Throttle;
  private readonly skips: Skips;
  /** The projection without skipped events. */
  private readonly unskippedProjection: Projection<D>;
  private shards: readonly Shard<D>[] = [];
  private written: Position = START;
  private writing: Promise<void> | null = null;

  constructor(
    private readonly projection: Projection<D>,
    readonly name: string,
    private readonly tools: BuildTools,
    private readonly onProgress: (progress: BuildProgress) => void = () => undefined,
  ) {
    this.work = { kind: 'build', name };
    this.retrier = new Retrier(tools.clock, tools.random, this.work);
    this.throttle = new Throttle(tools.store, tools.clock);
    this.skips = new Skips(tools.store, projection.name);
    this.unskippedProjection = withSkips(projection, this.skips);
  }

  /**
   * Resolves at the end of the log.
   * @throws PoisonEvent; NewerEvent, when only newer code can continue; AbortedError when the signal aborts first
   */
  async run(signal: AbortSignal): Promise<void> {
    const { readModels, checkpoints } = this.tools;
    const persist = <T>(work: () => Promise<T>) =>
      this.retrier.run(work, signal, (error) => !(error instanceof NewerEvent || error instanceof PoisonEvent));
    await persist(() => readModels.ensureCollection(this.name, this.projection, { bulk: true }));
    this.written = await persist(() => checkpoints.readCheckpoint(this.name));
    this.shards = this.createShards(persist);
    await persist(() => this.skips.load());
    // An earlier run has folded without the skips that were recorded since.
    const known = this.written === START ? this.skips.count : 0;
    const log = this.tools.log.open();
    try {
      await this.fold(log, this.written, persist);
      await persist(() => this.applySkips(this.skips.listAfter(known)));
    } finally {
      log.close();
      await Promise.allSettled(this.shards.map((shard) => shard.flush()));
      await this.writing;
      await this.write().catch(reportAndIgnore(this.work));
    }
    await persist(() => readModels.ensureCollection(this.name, this.projection));
    await persist(() => this.write());
  }

  private createShards(persist: <T>(work: () => Promise<T>) => Promise<T>): readonly Shard<D>[] {
    const { unskippedProjection: projection, name: build, throttle } = this;
    const tools = { projection, build, readModels: this.tools.readModels, throttle, persist };
    return Array.from({ length: projection.shards ?? SHARDS }, () => new Shard<D>(tools));
  }

  private async fold(
    log: LogReader,
    after: Position,
    persist: <T>(work: () => Promise<T>) => Promise<T>,
  ): Promise<void> {
    const { clock } = this.tools;
    const began = clock.monotonic();
    let events = 0;
    for await (const page of this.readPages(log, after, persist)) {
      await persist(() => this.beforePage());
      const parts = this.divideByShard(page);
      await Promise.all(this.shards.map((shard, i) => shard.apply(parts[i]!, page.next)));
      this.writing ??= this.writeInBackground();
      events += page.events.length;
      const seconds = (clock.monotonic() - began) / 1_000;
      this.onProgress({ events, position: page.next, perSecond: seconds === 0 ? 0 : Math.round(events / seconds) });
      await clock.sleep(0);
    }
    for (const shard of this.shards) await shard.flush();
  }

  /**
   * Applies the skips of events that may be folded already. Skips after the end of the build are applied by the
   * projector that follows it.
   */
  private async applySkips(skips: readonly RecordedSkip[]): Promise<void> {
    const { store, readModels } = this.tools;
    const end = this.shards.map(({ applied }) => applied).reduce(pickEarlier);
    const passed = skips.filter(({ position }) => position <= end);
    const ids = await Promise.all(passed.map((skip) => findSkippedDocuments(this.projection, skip, store)));
    if (passed.length > 0)
      await replaceDocuments(this.unskippedProjection, this.name, [...new Set(ids.flat())], passed.at(-1)!.position, {
        store,
        readModels,
      });
  }

  private async beforePage(): Promise<void> {
    await this.throttle.pollHead();
    await this.skips.load();
  }

  /** Reads the next page while this one is processed. */
  private async *readPages(
    log: LogReader,
    after: Position,
    persist: <T>(work: () => Promise<T>) => Promise<T>,
  ): AsyncIterable<EventPage> {
    const readAfter = (position: Position) => {
      const page = persist(() => log.readPage(position, this.throttle.events));
      // The error is thrown when the page is taken; before that it must not count as an unhandled rejection.
      page.catch(() => undefined);
      return page;
    };
    for (let next = readAfter(after); ;) {
      const page = await next;
      if (!page.caughtUp) next = readAfter(page.next);
      yield page;
      if (page.caughtUp) return;
    }
  }

  /**
   * Divides the events by shard: all events of a document go to the same shard, in order.
   * @throws PoisonEvent
   */
  private divideByShard({ events }: EventPage): readonly DocumentEvent[][] {
    const parts: DocumentEvent[][] = this.shards.map(() => []);
    for (const event of events) {
      for (const id of findDocumentIds(this.unskippedProjection, event))
        parts[hashText(id) % parts.length]!.push({ id, event });
    }
    return parts;
  }

  /** A late checkpoint is always safe: a failed write is made up for by the write after the next page. */
  private async writeInBackground(): Promise<void> {
    await this.write().catch(reportAndIgnore(this.work));
    this.writing = null;
  }

  private async write(): Promise<void> {
    const applied = this.shards.map((shard) => shard.applied).reduce(pickEarlier);
    if (applied <= this.written) return;
    await this.tools.checkpoints.advanceCheckpoints({ [this.name]: applied });
    this.written = applied;
  }
}
