import { Follower } from '../../../src/engine/following/follower.js';
import type { Inbox } from '../../../src/engine/following/inbox.js';
import { Runner } from '../../../src/engine/following/runner.js';
import type { Page } from '../../../src/kernel/event-store.js';
import type { Position } from '../../../src/kernel/position.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { replace, type Plant } from './plant.js';

export const projecting: readonly Plant[] = [
  {
    name: 'a document is saved without its position check',
    foundAt: 2,
    plant: () =>
      replace(MemoryReadModels, 'save', async (readModels, _, collection: string, rows: readonly Row[]) => {
        for (const row of rows) readModels.collections.get(collection).set(row.id, structuredClone(row));
      }),
  },
  {
    name: 'a deleted document leaves no tombstone',
    foundAt: 5,
    plant: () =>
      replace(MemoryReadModels, 'save', async (readModels, save, collection: string, rows: readonly Row[]) => {
        await save(collection, rows);
        for (const { id, document } of rows) if (document === null) readModels.collections.get(collection).delete(id);
      }),
  },
  {
    name: 'a checkpoint moves before the documents are saved',
    foundAt: 1,
    plant: () =>
      replace(Runner, 'apply', (runner, apply, page: Page, signal: AbortSignal) => {
        runner.tools.checkpoints.reached(runner.name, page.next, true);
        return apply(page, signal);
      }),
  },
  {
    name: 'a checkpoint is written without a comparison',
    foundAt: 9,
    plant: () =>
      replace(MemoryReadModels, 'advance', async (readModels, _, checkpoints: Readonly<Record<string, Position>>) => {
        for (const [name, position] of Object.entries(checkpoints)) readModels.checkpoints.set(name, position);
      }),
  },
  {
    name: 'a disconnected follower continues at the head',
    foundAt: 1,
    plant: () =>
      replace(Follower, 'follow', async (follower, follow, signal: AbortSignal) => {
        try {
          await follow(signal);
        } catch (error) {
          follower.position = await follower.store.head();
          throw error;
        }
      }),
  },
  {
    name: 'a runner joins the follower after its first page',
    foundAt: 19,
    plant: () =>
      replace(Runner, 'catchUp', async (runner, catchUp, inbox: Inbox, signal: AbortSignal) => {
        await catchUp(inbox, signal);
        if (inbox.join()) runner.filled.ring();
      }),
  },
];
