import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Keys } from '../../engine/encryption/keys.js';
import { addMs, Clock, DAY_MS, toIso } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { ReadModels, type Row } from '../../kernel/read-models.js';
import type { Signatures } from './signature.js';

const RETENTION_DAYS = 30;
/** Captures are written in batches, shortly after the ends of their attempts are recorded. */
const WRITE_INTERVAL_MS = 100;
const MAX_BATCH_SIZE = 50;
/** The limit while the store is unavailable; more captures are dropped. */
const MAX_PENDING = 5_000;
const PAGE_SIZE = 20;
/** The limits by which an attempt may have ended earlier or later than its record says. */
const MAX_EARLY_MS = 1_000;
const MAX_LATE_MS = 30_000;
/**
 * The time after an attempt's end in which another process may still hold its unwritten capture. It is longer than
 * MongoDB needs to elect a primary.
 */
const MAX_UNWRITTEN_MS = 30_000;

export interface CapturedDay {
  readonly day: string;
}

/** The longest time from the storing of a capture to its drop. */
export const MAX_RETENTION_MS = (RETENTION_DAYS + 1) * DAY_MS;
/** The jobs that drop a day's captures after the retention time. */
export const captureDrops = declareQueue<CapturedDay>({ name: 'capture-drops' });

/** A response as it was received. */
export interface ReceivedResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body, up to a size limit. */
  readonly body: string;
}

/**
 * The parts of a sent attempt that the log does not hold: the signatures, which cannot be rebuilt, and the response.
 */
export interface Capture {
  readonly signatures: Signatures;
  readonly received: ReceivedResponse | null;
}

export interface CapturedAttempt {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly startedAt: string;
}

/** `durationMs`: null when nothing was sent. */
type EndedCapturedAttempt = CapturedAttempt & { readonly durationMs: number | null };

type PendingCapture = CapturedAttempt & { readonly capture: Capture; readonly at: string };

/** The captures of one endpoint that were saved at about the same time: one document, however many there are. */
interface CaptureBatch {
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
  private readonly pending = new Map<string, PendingCapture>();
  private readonly preparedDays = new Set<string>();
  private writeLoop: Promise<void> | null = null;
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
  async save(attempt: CapturedAttempt, capture: Capture): Promise<void> {
    const { deliveryId, endpointId, startedAt } = attempt;
    const entry = { deliveryId, endpointId, startedAt, capture, at: toIso(this.clock.now()) };
    if (this.pending.size < MAX_PENDING) this.pending.set(deliveryId, entry);
    this.writeLoop ??= this.writeAllPending();
    if (this.closing.signal.aborted) await this.writeLoop;
  }

  /**
   * Returns null when nothing was sent, the capture has expired, or a crash lost it.
   * @throws StoreUnavailable when the process that sent it may not have written it yet
   */
  async find(attempt: EndedCapturedAttempt): Promise<Capture | null> {
    if (this.clock.now() - Date.parse(attempt.startedAt) > RETENTION_DAYS * DAY_MS) return null;
    const capture = this.pending.get(attempt.deliveryId)?.capture ?? (await this.findStored(attempt));
    if (capture === null && this.canBeUnwritten(attempt))
      throw new StoreUnavailable(`the capture of ${attempt.deliveryId} may not be written yet`, false);
    return capture;
  }

  dropDay(day: string): Promise<void> {
    return this.readModels.dropCollection(collectionOf(day));
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort('closing');
    await this.writeLoop;
  }

  private canBeUnwritten({ startedAt, durationMs }: EndedCapturedAttempt): boolean {
    return durationMs !== null && this.clock.now() - Date.parse(startedAt) - durationMs < MAX_UNWRITTEN_MS;
  }

  /** Searches the endpoint's batches, starting at the end of the attempt. */
  private async findStored({
    deliveryId,
    endpointId,
    startedAt,
    durationMs,
  }: EndedCapturedAttempt): Promise<Capture | null> {
    const endedAt = addMs(startedAt, durationMs ?? 0);
    const where = { endpoint_id: endpointId, last_at: { from: addMs(endedAt, -MAX_EARLY_MS) } };
    for (let after: { value: string; id: string } | undefined; ;) {
      const query = { where, orderBy: 'last_at', ascending: true, limit: PAGE_SIZE, after };
      const batches = await this.readModels.find<CaptureBatch>(collectionOf(dayOf(startedAt)), query);
      const found = batches.map((batch) => this.decrypt(batch)[deliveryId]).find((capture) => capture !== undefined);
      if (found !== undefined) return found;
      const last = batches.at(-1);
      if (last === undefined || batches.length < PAGE_SIZE || last.first_at > addMs(endedAt, MAX_LATE_MS)) return null;
      after = { value: last.last_at, id: last.id };
    }
  }

  private async writeAllPending(): Promise<void> {
    while (this.pending.size > 0) {
      await this.clock.sleep(WRITE_INTERVAL_MS, this.closing.signal);
      const isWritten = await this.writePending().then(
        () => true,
        () => false,
      );
      if (this.closing.signal.aborted && !isWritten) break;
    }
    this.writeLoop = null;
  }

  private async writePending(): Promise<void> {
    for (const [day, captures] of Map.groupBy(this.pending.values(), ({ startedAt }) => dayOf(startedAt))) {
      await this.ensureCollection(day);
      const batches = [...Map.groupBy(captures, ({ endpointId }) => endpointId).values()].flatMap(splitIntoBatches);
      await this.readModels.upsert(
        collectionOf(day),
        batches.map((batch) => this.toRow(batch)),
      );
      for (const { deliveryId } of captures) this.pending.delete(deliveryId);
    }
  }

  private async ensureCollection(day: string): Promise<void> {
    if (this.preparedDays.has(day)) return;
    await this.readModels.ensureCollection(collectionOf(day), { indexes: [['endpoint_id', 'last_at']] });
    const due = toIso(Date.parse(day) + (RETENTION_DAYS + 1) * DAY_MS);
    await this.jobs.enqueue([captureDrops.createJob({ key: `captures:${day}`, due, data: { day } })]);
    this.preparedDays.add(day);
  }

  private toRow(batch: readonly PendingCapture[]): Row<CaptureBatch> {
    const [first, last] = [batch[0]!, batch.at(-1)!];
    const id = first.deliveryId;
    const captures = Object.fromEntries(batch.map(({ deliveryId, capture }) => [deliveryId, capture]));
    const encrypted = this.keys
      .encrypt(purposeOf(first.at), labelOf(id), Buffer.from(JSON.stringify(captures)))
      .toString('base64');
    const document = { id, endpoint_id: first.endpointId, first_at: first.at, last_at: last.at, sealed: encrypted };
    // After an unacknowledged save the next batch has the same id and more captures: the larger batch replaces the
    // smaller.
    const position = `${last.at} ${String(batch.length).padStart(String(MAX_BATCH_SIZE).length, '0')}`;
    return { id, position, document };
  }

  private decrypt({ id, first_at, sealed }: CaptureBatch): Readonly<Record<string, Capture>> {
    const text = this.keys.decrypt(purposeOf(first_at), labelOf(id), Buffer.from(sealed, 'base64')).toString();
    return JSON.parse(text) as Record<string, Capture>;
  }
}

/** Lists the existing collections by the jobs that will drop them. */
export async function listCaptureCollections(jobs: Jobs): Promise<string[]> {
  const drops = await jobs.list({ queue: captureDrops.name, limit: 2 * RETENTION_DAYS });
  return drops.map((job) => collectionOf(captureDrops.readJob(job).data.day));
}

function splitIntoBatches(pending: readonly PendingCapture[]): readonly (readonly PendingCapture[])[] {
  return Array.from({ length: Math.ceil(pending.length / MAX_BATCH_SIZE) }, (_, i) =>
    pending.slice(i * MAX_BATCH_SIZE, (i + 1) * MAX_BATCH_SIZE),
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
