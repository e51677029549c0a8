import { Injectable } from '@nestjs/common';
import { newUuid } from '../kernel/ids.js';
import { START } from '../kernel/position.js';
import { ReadModels } from '../kernel/read-models.js';

const COLLECTION = 'store_identity';
const ID = 'store';
/** Of the one document, whatever its name is. */
const POSITION = '1';

/** Tells a store from every other, also from those that its log was moved to or came from: a position means something in one alone. */
@Injectable()
export class StoreIdentity {
  private known: string | undefined;

  constructor(private readonly readModels: ReadModels) {}

  /** @throws Error before it is learnt */
  get id(): string {
    if (this.known === undefined) throw new Error('The store has not been asked yet who it is.');
    return this.known;
  }

  /** The store is another one from now on: its log was restored, and positions that were given out mean something else. */
  async renew(): Promise<void> {
    await this.learn();
    await this.readModels.replace(COLLECTION, { id: ID, position: POSITION, document: { id: ID, name: newUuid() } }, POSITION);
    await this.learn();
  }

  /** The first process on a store names it. */
  async learn(): Promise<void> {
    await this.readModels.prepare(COLLECTION, { indexes: [] });
    await this.readModels.replace(COLLECTION, { id: ID, position: POSITION, document: { id: ID, name: newUuid() } }, START);
    const [row] = await this.readModels.load(COLLECTION, [ID]);
    this.known = (row!.document as { readonly name: string }).name;
  }
}
