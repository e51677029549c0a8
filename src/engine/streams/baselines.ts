import { Injectable } from '@nestjs/common';
import { reportAndReturn, reportFailure } from '../../kernel/background-errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import { ReadModels, type Row } from '../../kernel/read-models.js';

const COLLECTION = 'baselines';

/** The state of a stream, or of a document, after one of the stream's events. */
export interface StoredBaseline {
  readonly revision: number;
  readonly position: Position;
  /**
   * Id of that event. If the stream has another event at this revision, the row belongs to another log and is ignored.
   */
  readonly eventId: string;
  readonly value: object;
}

interface BaselineDocument extends Omit<StoredBaseline, 'position'> {
  readonly id: string;
}

const WORK = { kind: 'loop', name: 'baselines' } as const;
const NO_ROWS: readonly Row[] = [];

/**
 * Stored states that avoid reading a long stream from its first event. Rows may be missing, old or lost at any time:
 * the log contains everything they hold.
 */
@Injectable()
export class Baselines {
  private prepared: Promise<void> | null = null;

  constructor(private readonly readModels: ReadModels) {}

  /** Loads a baseline. Returns null also when the store is not available. */
  async load(key: string): Promise<StoredBaseline | null> {
    const [row] = await this.readModels.load(COLLECTION, [key]).catch(reportAndReturn(WORK, NO_ROWS));
    if (!row?.document) return null;
    const { revision, eventId, value } = row.document as BaselineDocument;
    return { revision, eventId, value, position: row.position };
  }

  /** Saves a baseline in the background. A later save makes up for a failed one. */
  save(
    key: string,
    { id: eventId, revision, position }: Pick<RecordedEvent, 'id' | 'revision' | 'position'>,
    value: object,
  ): void {
    const document: BaselineDocument = { id: key, revision, eventId, value };
    this.prepare()
      .then(() => this.readModels.upsert(COLLECTION, [{ id: key, position, document }]))
      .catch((error: unknown) => {
        this.prepared = null;
        reportFailure(WORK, error);
      });
  }

  private prepare(): Promise<void> {
    return (this.prepared ??= this.readModels.ensureCollection(COLLECTION, { indexes: [] }));
  }
}
