import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Keys } from '../../engine/sealing/keys.js';
import { Clock, DAY_MS, iso, isoAfter } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import { ReadModels, type Row } from '../../kernel/read-models.js';
import type { Signatures } from './signature.js';

const KEPT_DAYS = 30;
/** Captures are written in batches, shortly after the ends of their attempts are recorded. */
const WRITTEN_EVERY_MS = 100;
const MOST_IN_A_BATCH = 50;
/** The limit while the store is unavailable; more captures are dropped. */
const MOST_WAITING = 5_000;
const LOOKED_THROUGH_AT_ONCE = 20;
/** The limits by which an attempt may have ended earlier or later than its record says. */
const EARLIER_MS = 1_000;
const LATER_MS = 30_000;
/**
 * The time after an attempt's end in which another process may still hold its unwritten capture. It is longer than
 * MongoDB needs to elect a primary.
 */
const UNWRITTEN_MS = 30_000;

/** The queue of the jobs that drop a day's captures after the retention time. */
export const CAPTURE_DROPS = 'capture-drops';

/** A response as it was received. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body, up to a size limit. */
  readonly body: string;
}

/**
 * The parts of a sent attempt that the log does not hold: the signatures, which cannot be rebuilt, and the response.
 */
export interface Capture {
  readonly signatures: Signatures;
  readonly received: Received | null;
}

/** The attempt to which a capture belongs. */
export interface Captured {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly startedAt: string;
}

/** `durationMs`: null when nothing was sent. */
type Ended = Captured & { readonly durationMs: number | null };

type Kept = Captured & { readonly capture: Capture; readonly at: string };

/** The captures of one endpoint that were saved at about the same time: one document, however many there are. */
interface Batch {
  readonly id: string;
  readonly endpoint_id: string;
  /** When the first and the last capture were saved. */
  readonly first_at: string;
  readonly last_at: string;
  readonly sealed: string;
}

/**
 * Stores captures encrypted, in one collection for each day, so that a whole day is dropped at once. No attempt waits
 * for the write, so a crash may lose the latest captures.
 */
@Injectable()
export class Captures implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Kept>();
  private readonly prepared = new Set<string>();
  private writing: Promise<void> | null = null;
  private readonly closing = new AbortController();

  constructor(
    private readonly readModels: ReadModels,
    private readonly jobs: Jobs,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues a capture for writing. Resolves at once; while the process shuts down, it resolves after the write, which is
   * the last one.
   */
  async keep(attempt: Captured, capture: Capture): Promise<void> {
    const { deliveryId, endpointId, startedAt } = attempt;
    const kept = { deliveryId, endpointId, startedAt, capture, at: iso(this.clock.now()) };
    if (this.waiting.size < MOST_WAITING) this.waiting.set(deliveryId, kept);
    this.writing ??= this.writeSoon();
    if (this.closing.signal.aborted) await this.writing;
  }

  /**
   * Returns null when nothing was sent, the capture has expired, or a crash lost it.
   * @throws StoreUnavailable when the process that sent it may not have written it yet
   */
  async of(attempt: Ended): Promise<Capture | null> {
    if (this.clock.now() - Date.parse(attempt.startedAt) > KEPT_DAYS * DAY_MS) return null;
    const capture = this.waiting.get(attempt.deliveryId)?.capture ?? (await this.find(attempt));
    if (capture === null && this.maybeUnwritten(attempt))
      throw new StoreUnavailable(`the capture of ${attempt.deliveryId} may not be written yet`, false);
    return capture;
  }

  drop(day: string): Promise<void> {
    return this.readModels.drop(collectionOf(day));
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort('closing');
    await this.writing;
  }

  private maybeUnwritten({ startedAt, durationMs }: Ended): boolean {
    return durationMs !== null && this.clock.now() - Date.parse(startedAt) - durationMs < UNWRITTEN_MS;
  }

  /** Searches the endpoint's batches, starting at the end of the attempt. */
  private async find({ deliveryId, endpointId, startedAt, durationMs }: Ended): Promise<Capture | null> {
    const endedAt = isoAfter(startedAt, durationMs ?? 0);
    const where = { endpoint_id: endpointId, last_at: { from: isoAfter(endedAt, -EARLIER_MS) } };
    for (let after: { value: string; id: string } | undefined; ;) {
      const asked = { where, orderBy: 'last_at', ascending: true, limit: LOOKED_THROUGH_AT_ONCE, after };
      const batches = await this.readModels.find<Batch>(collectionOf(dayOf(startedAt)), asked);
      const found = batches.map((batch) => this.opened(batch)[deliveryId]).find((capture) => capture !== undefined);
      if (found !== undefined) return found;
      const last = batches.at(-1);
      if (last === undefined || batches.length < LOOKED_THROUGH_AT_ONCE || last.first_at > isoAfter(endedAt, LATER_MS)) return null;
      after = { value: last.last_at, id: last.id };
    }
  }

  private async writeSoon(): Promise<void> {
    while (this.waiting.size > 0) {
      await this.clock.sleep(WRITTEN_EVERY_MS, this.closing.signal);
      const isWritten = await this.write().then(
        () => true,
        () => false,
      );
      if (this.closing.signal.aborted && !isWritten) break;
    }
    this.writing = null;
  }

  private async write(): Promise<void> {
    for (const [day, ofDay] of Map.groupBy(this.waiting.values(), ({ startedAt }) => dayOf(startedAt))) {
      await this.prepare(day);
      const batches = [...Map.groupBy(ofDay, ({ endpointId }) => endpointId).values()].flatMap(chunks);
      await this.readModels.save(
        collectionOf(day),
        batches.map((batch) => this.sealed(batch)),
      );
      for (const { deliveryId } of ofDay) this.waiting.delete(deliveryId);
    }
  }

  private async prepare(day: string): Promise<void> {
    if (this.prepared.has(day)) return;
    await this.readModels.prepare(collectionOf(day), { indexes: [['endpoint_id', 'last_at']] });
    const due = iso(Date.parse(day) + (KEPT_DAYS + 1) * DAY_MS);
    await this.jobs.put([{ key: `captures:${day}`, queue: CAPTURE_DROPS, due, data: { day } }]);
    this.prepared.add(day);
  }

  private sealed(batch: readonly Kept[]): Row<Batch> {
    const [first, last] = [batch[0]!, batch.at(-1)!];
    const id = first.deliveryId;
    const captures = Object.fromEntries(batch.map(({ deliveryId, capture }) => [deliveryId, capture]));
    const sealed = this.keys.seal(purposeOf(first.at), labelOf(id), Buffer.from(JSON.stringify(captures))).toString('base64');
    const document = { id, endpoint_id: first.endpointId, first_at: first.at, last_at: last.at, sealed };
    // After an unacknowledged save the next batch has the same id and more captures: the larger batch replaces the
    // smaller.
    const position = `${last.at} ${String(batch.length).padStart(String(MOST_IN_A_BATCH).length, '0')}`;
    return { id, position, document };
  }

  private opened({ id, first_at, sealed }: Batch): Readonly<Record<string, Capture>> {
    const text = this.keys.open(purposeOf(first_at), labelOf(id), Buffer.from(sealed, 'base64')).toString();
    return JSON.parse(text) as Record<string, Capture>;
  }
}

/** Lists the existing collections by the jobs that will drop them. */
export async function captureCollections(jobs: Jobs): Promise<string[]> {
  const drops = await jobs.list({ queue: CAPTURE_DROPS, limit: 2 * KEPT_DAYS });
  return drops.map(({ data }) => collectionOf((data as { readonly day: string }).day));
}

function chunks(kept: readonly Kept[]): readonly (readonly Kept[])[] {
  return Array.from({ length: Math.ceil(kept.length / MOST_IN_A_BATCH) }, (_, i) =>
    kept.slice(i * MOST_IN_A_BATCH, (i + 1) * MOST_IN_A_BATCH),
  );
}

function labelOf(batchId: string): string {
  return `captures:${batchId}`;
}

/** Gives each day its own key. */
function purposeOf(at: string): string {
  return `captures:${dayOf(at)}`;
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}

function collectionOf(day: string): string {
  return `captures-${day}`;
}
