import { Injectable } from '@nestjs/common';
import { newUuid } from '../kernel/ids.js';
import { START } from '../kernel/position.js';
import { ReadModels } from '../kernel/read-models.js';

const COLLECTION = 'store_identity';
const ID = 'store';
/** Position of the only document, with any content. */
const POSITION = '1';

/** Identifies a store, also among stores that the log was copied to or from: a position is only valid in one store. */
@Injectable()
export class StoreIdentity {
  private loadedId: string | undefined;

  constructor(private readonly readModels: ReadModels) {}

  /** @throws Error before `load` */
  get id(): string {
    if (this.loadedId === undefined) throw new Error('The store identity is not loaded.');
    return this.loadedId;
  }

  /** Gives the store a new identity: its log was restored, so earlier positions are no longer valid. */
  async renew(): Promise<void> {
    await this.load();
    await this.readModels.compareAndSet(
      COLLECTION,
      { id: ID, position: POSITION, document: { id: ID, name: newUuid() } },
      POSITION,
    );
    await this.load();
  }

  /** Reads the identity; the first process on a store creates it. */
  async load(): Promise<void> {
    await this.readModels.ensureCollection(COLLECTION, { indexes: [] });
    await this.readModels.compareAndSet(
      COLLECTION,
      { id: ID, position: POSITION, document: { id: ID, name: newUuid() } },
      START,
    );
    const [row] = await this.readModels.load(COLLECTION, [ID]);
    this.loadedId = (row!.document as { readonly name: string }).name;
  }
}
