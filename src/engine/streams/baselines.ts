import { Injectable } from '@nestjs/common';
import type { Recorded } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import { ReadModels, type Row } from '../../kernel/read-models.js';

const COLLECTION = 'baselines';

/** What a stream came to with one of its events. */
export interface Kept {
  readonly revision: number;
  readonly position: Position;
  /** Of that event: where the stream has another one there, the row is of another log and means nothing. */
  readonly eventId: string;
  readonly value: object;
}

interface BaselineDocument extends Omit<Kept, 'position'> {
  readonly id: string;
}

/**
 * Rows beside the log that save reading a long stream from its first event. They may be absent, old or lost at any time: what they
 * hold follows from the log.
 */
@Injectable()
export class Baselines {
  private prepared: Promise<void> | null = null;

  constructor(private readonly readModels: ReadModels) {}

  /** Null as well when the store cannot be asked. */
  async load(key: string): Promise<Kept | null> {
    const [row] = await this.readModels.load(COLLECTION, [key]).catch((): Row[] => []);
    if (!row?.document) return null;
    const { revision, eventId, value } = row.document as BaselineDocument;
    return { revision, eventId, value, position: row.position };
  }

  /** In the background. One that fails is made up for by the next. */
  save(key: string, { id: eventId, revision, position }: Pick<Recorded, 'id' | 'revision' | 'position'>, value: object): void {
    const document: BaselineDocument = { id: key, revision, eventId, value };
    this.prepare()
      .then(() => this.readModels.save(COLLECTION, [{ id: key, position, document }]))
      .catch(() => {
        this.prepared = null;
      });
  }

  private prepare(): Promise<void> {
    return (this.prepared ??= this.readModels.prepare(COLLECTION, { indexes: [] }));
  }
}
