import { ConsumerRunner } from '../../../src/engine/consumers/consumer-runner.js';
import { Follower } from '../../../src/engine/consumers/follower.js';
import type { Inbox } from '../../../src/engine/consumers/inbox.js';
import type { EventPage } from '../../../src/kernel/event-store.js';
import type { Position } from '../../../src/kernel/position.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { type Mutation, replaceMethod } from './mutation.js';

export const projectionMutations: readonly Mutation[] = [
  {
    name: 'a document is saved without its position check',
    foundAt: 12,
    insert: () =>
      replaceMethod(MemoryReadModels, 'upsert', async (readModels, _, collection: string, rows: readonly Row[]) => {
        for (const row of rows) readModels.collections.get(collection).set(row.id, structuredClone(row));
      }),
  },
  {
    name: 'a deleted document leaves no tombstone',
    foundAt: 2,
    insert: () =>
      replaceMethod(MemoryReadModels, 'upsert', async (readModels, save, collection: string, rows: readonly Row[]) => {
        await save(collection, rows);
        for (const { id, document } of rows) if (document === null) readModels.collections.get(collection).delete(id);
      }),
  },
  {
    name: 'a checkpoint moves before the documents are saved',
    foundAt: 1,
    insert: () =>
      replaceMethod(ConsumerRunner, 'dispatch', (runner, dispatch, page: EventPage, signal: AbortSignal) => {
        runner.tools.checkpoints.record(runner.name, page.next, true);
        return dispatch(page, signal);
      }),
  },
  {
    name: 'a checkpoint is written without a comparison',
    foundAt: 4,
    insert: () =>
      replaceMethod(
        MemoryReadModels,
        'advanceCheckpoints',
        async (readModels, _, checkpoints: Readonly<Record<string, Position>>) => {
          for (const [name, position] of Object.entries(checkpoints)) readModels.checkpoints.set(name, position);
        },
      ),
  },
  {
    name: 'a disconnected follower continues at the head',
    foundAt: 2,
    insert: () =>
      replaceMethod(Follower, 'follow', async (follower, follow, signal: AbortSignal, onHealthy: () => void) => {
        try {
          await follow(signal, onHealthy);
        } catch (error) {
          follower.position = await follower.store.readHead();
          throw error;
        }
      }),
  },
  {
    name: 'a runner joins the follower after its first page',
    foundAt: 5,
    insert: () =>
      replaceMethod(ConsumerRunner, 'catchUp', async (runner, catchUp, inbox: Inbox, signal: AbortSignal) => {
        await catchUp(inbox, signal);
        if (inbox.join()) runner.filled.notify();
      }),
  },
];
