import { Injectable } from '@nestjs/common';
import { Baselines } from '../../engine/streams/baselines.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { EventStore } from '../../kernel/event-store.js';
import { collectionOf } from '../../kernel/projection.js';
import type { ResourceKind } from './audited-resources.js';
import { BASELINE_EVENTS, type StoredDocument } from './resource-timeline.js';

/** A moment in the history of a resource. */
export type Moment = Pick<RecordedEvent, 'position'> & { readonly at: string };

interface SavedDocument extends StoredDocument {
  readonly at: string;
  readonly position: string;
}

/** Documents of resources with many events, one for every 500 events of the stream. They may be lost at any time. */
@Injectable()
export class ResourceBaselines {
  constructor(
    private readonly baselines: Baselines,
    private readonly store: EventStore,
  ) {}

  save(kind: ResourceKind, event: RecordedEvent, document: object | null): void {
    const n = Math.floor((event.revision + 1) / BASELINE_EVENTS);
    this.baselines.save(keyOf(kind, event.stream, n), event, { at: event.meta.at, document });
  }

  /** Finds the last stored document that is wanted, by a binary search: earlier documents are stored before later ones. */
  async findLast(
    kind: ResourceKind,
    stream: string,
    isWanted: (moment: Moment) => boolean,
  ): Promise<StoredDocument | null> {
    let found: StoredDocument | null = null;
    let [low, high] = [1, await this.countBaselines(stream)];
    while (low <= high) {
      const middle = Math.ceil((low + high) / 2);
      const saved = await this.load(kind, stream, middle);
      if (saved !== null && isWanted(saved)) [found, low] = [saved, middle + 1];
      else high = middle - 1;
    }
    return found;
  }

  /** The number of documents that can be stored for a stream of this length. */
  private async countBaselines(stream: string): Promise<number> {
    for await (const { revision } of this.store.readStream(stream, { backwards: true, limit: 1 }))
      return Math.floor((revision + 1) / BASELINE_EVENTS);
    return 0;
  }

  /** A document is valid if the stream contains the event that it was made of. */
  private async load(kind: ResourceKind, stream: string, n: number): Promise<SavedDocument | null> {
    const saved = await this.baselines.load(keyOf(kind, stream, n));
    if (saved === null) return null;
    for await (const { id } of this.store.readStream(stream, { from: saved.revision, limit: 1 })) {
      const { at, document } = saved.value as Pick<SavedDocument, 'at' | 'document'>;
      return id === saved.eventId ? { revision: saved.revision, position: saved.position, at, document } : null;
    }
    return null;
  }
}

function keyOf({ projection }: ResourceKind, stream: string, n: number): string {
  return `audit ${stream} ${collectionOf(projection)} ${n}`;
}
