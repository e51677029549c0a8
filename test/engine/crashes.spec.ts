import fc from 'fast-check';
import { START } from '../../src/kernel/position.js';
import { render } from '../../src/kernel/projection.js';
import { seed } from '../contracts/seed.js';
import { contextOf, jars, type JarDocument } from '../support/jar.js';
import { answerLost, neverArrived } from '../support/memory/faulty-event-store.js';
import { JARS, NAMES, timesOf, Town } from '../support/memory/town.js';

const LIVES = 30;
/** Longer than the leases of those who were killed. */
const AFTERMATH_MS = 25_000;

type Action =
  | { readonly act: 'send'; readonly process: number; readonly jar: number }
  | { readonly act: 'repeat'; readonly process: number; readonly index: number }
  | { readonly act: 'pass'; readonly ms: number }
  | { readonly act: 'kill'; readonly process: number }
  | { readonly act: 'fault'; readonly lost: boolean };

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('send' as const), process: fc.nat(5), jar: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('repeat' as const), process: fc.nat(5), index: fc.nat(60) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('kill' as const), process: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('fault' as const), lost: fc.boolean() }) },
);

async function lived(actions: readonly Action[]): Promise<Town> {
  const town = new Town();
  await town.begin(3);
  await town.house.clock.advance(20);
  for (const action of actions) await happen(town, action);
  await town.house.clock.advance(AFTERMATH_MS);
  return town;
}

async function happen(town: Town, action: Action): Promise<void> {
  switch (action.act) {
    case 'send':
      return town.send(action.process, action.jar);
    case 'repeat':
      return town.repeat(action.process, action.index);
    case 'pass':
      return town.house.clock.advance(action.ms);
    case 'kill':
      return town.replace(action.process);
    case 'fault':
      town.house.store.faults.push(action.lost ? answerLost : neverArrived);
  }
}

const eachLife = (check: (town: Town) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => check(await lived(actions))),
    { seed, numRuns: LIVES },
  );

describe('Through kills, lost answers and slow calls', () => {
  it('a command that was answered is in the log once, a refused one is absent, any other is there once or not at all', () =>
    eachLife(async ({ house, sent }) => {
      for (const { label, jar: index, told } of sent) {
        const events = house.store.log.filter(({ meta }) => meta.commandId === contextOf(label).commandId);
        if (told.includes('recorded')) expect(events).toHaveLength(timesOf(index));
        else if (told.every((one) => one === 'absent')) expect(events).toEqual([]);
        else expect([0, timesOf(index)]).toContain(events.length);
      }
    }));

  it('revisions have no gap, and no event has the id of another', () =>
    eachLife(async ({ house: { store } }) => {
      for (const stream of new Set(store.log.map((event) => event.stream))) {
        const revisions = store.log.filter((event) => event.stream === stream).map(({ revision }) => revision);
        expect(revisions).toEqual(revisions.map((_, i) => i));
      }
      expect(new Set(store.log.map(({ id }) => id)).size).toBe(store.log.length);
    }));

  it('the documents are what the log tells, every event in them once', () =>
    eachLife(async ({ house }) => {
      const documents = (await house.documents(JARS)) as JarDocument[];
      const ids = [...new Set(house.store.log.map(({ stream }) => stream.slice('jar-'.length)))].sort();
      expect(documents).toEqual(ids.map((id) => render(jars, id, house.store.log)));
    }));

  it('checkpoints never move back, and end at the head', () =>
    eachLife(async ({ house, moments }) => {
      const all = await Promise.all(moments);
      for (const [i, name] of NAMES.entries()) {
        const kept = all.map(({ checkpoints }) => checkpoints[i]!);
        expect(kept).toEqual(kept.toSorted());
        expect(kept.at(-1) ?? START).toBe(await house.store.head());
        expect(await house.readModels.checkpoint(name)).toBe(await house.store.head());
      }
    }));

  it('no checkpoint is ever ahead of what is applied', () =>
    eachLife(async ({ house, moments }) => {
      for (const { checkpoints, applied } of await Promise.all(moments)) {
        const due = house.store.log.filter(({ position }) => position <= checkpoints[0]!);
        expect(due.filter(({ id }) => !applied.has(id))).toEqual([]);
      }
    }));

  it('a reactor sees every event, those of a stream in their order, and its jobs are done', () =>
    eachLife(async ({ house: { store, jobs }, seen, done }) => {
      for (const { stream, revision, id } of store.log) {
        const at = seen.findIndex((event) => event.stream === stream && event.revision === revision);
        const before = seen.findIndex((event) => event.stream === stream && event.revision === revision - 1);
        expect(at).toBeGreaterThan(revision === 0 ? -1 : before);
        expect(done).toContain(id);
      }
      expect(jobs.entries.size).toBe(0);
    }));
});
