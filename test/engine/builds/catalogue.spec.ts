import * as catalogue from '../../../src/engine/builds/catalogue.js';
import { BuildRefused, type Entry, NO_BUILDS } from '../../../src/engine/builds/catalogue.js';

const AT = '2026-02-01T09:00:00.000Z';

const one = catalogue.createActive(NO_BUILDS, AT);
const twoBuilding = catalogue.start(one, AT);
const twoReady = catalogue.complete(twoBuilding, 2, false);
const twoActive = catalogue.activate(twoReady, 2);

const statuses = ({ builds }: Entry) => builds.map(({ n, status }) => `#${n} ${status}`);

describe('The builds of a projection', () => {
  it('start with an active build on an empty log', () => {
    expect(one).toMatchObject({ active: 1, previous: null, next: 2 });
    expect(one.builds).toEqual([{ n: 1, status: 'active', created_at: AT, error: null }]);
  });

  it('start with a build that becomes active when it has caught up', () => {
    const building = catalogue.start(NO_BUILDS, AT);
    expect(building).toMatchObject({ active: null });
    expect(catalogue.complete(building, 1, false)).toMatchObject({ active: 1 });
  });

  it('are created beside each other', () => {
    expect(statuses(twoBuilding)).toEqual(['#1 active', '#2 building']);
    expect(statuses(twoReady)).toEqual(['#1 active', '#2 ready']);
    expect(twoReady.active).toBe(1);
  });

  it('are switched in one step, and the old one is still followed', () => {
    expect(twoActive).toMatchObject({ active: 2, previous: 1 });
    expect(statuses(twoActive)).toEqual(['#1 retired', '#2 active']);
    expect(catalogue.complete(twoBuilding, 2, true)).toEqual(twoActive);
    expect(catalogue.listFollowed(twoActive).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('are rolled back in one step, and forward again', () => {
    const back = catalogue.rollBack(twoActive);
    expect(back).toMatchObject({ active: 1, previous: 2 });
    expect(catalogue.rollBack(back)).toMatchObject({ active: 2, previous: 1 });
  });

  it('resume a failed build and clear its error', () => {
    const failed = catalogue.fail(twoBuilding, 2, 'thirteen');
    expect(failed.builds[1]).toMatchObject({ status: 'failed', error: 'thirteen' });
    expect(catalogue.resume(failed, 2).builds[1]).toMatchObject({ status: 'building', error: null });
    expect(catalogue.resume(twoBuilding, 2)).toBe(twoBuilding);
  });

  it('are removed in two steps, which also removes the rollback', () => {
    const dropping = catalogue.startDrop(twoActive, 1);
    expect(dropping.previous).toBeNull();
    expect(statuses(dropping)).toEqual(['#1 dropping', '#2 active']);
    expect(catalogue.startDrop(dropping, 1)).toBe(dropping);
    expect(statuses(catalogue.remove(dropping, 1))).toEqual(['#2 active']);
    expect(catalogue.remove(twoActive, 1)).toEqual(twoActive);
  });

  it('never reuse a number', () => {
    const gone = catalogue.remove(catalogue.startDrop(twoReady, 2), 2);
    expect(catalogue.start(gone, AT).builds.map(({ n }) => n)).toEqual([1, 3]);
  });

  it('are not followed while paused', () => {
    const paused = catalogue.pause(twoActive);
    expect(catalogue.listFollowed(paused)).toEqual([]);
    expect(catalogue.pause(paused)).toBe(paused);
    expect(catalogue.unpause(paused)).toEqual(twoActive);
  });

  it.each<[string, () => Entry]>([
    ['a second build beside one in progress', () => catalogue.start(twoBuilding, AT)],
    ['a second build beside a failed one', () => catalogue.start(catalogue.fail(twoBuilding, 2, 'thirteen'), AT)],
    ['a switch to a build that has not caught up', () => catalogue.activate(twoBuilding, 2)],
    ['a switch to the active build', () => catalogue.activate(twoActive, 2)],
    ['a switch to an unknown build', () => catalogue.activate(twoActive, 7)],
    ['a rollback without a previous build', () => catalogue.rollBack(one)],
    ['a drop of the active build', () => catalogue.startDrop(twoActive, 2)],
    ['a second completion of a build', () => catalogue.complete(twoReady, 2, true)],
    ['a resume of a ready build', () => catalogue.resume(twoReady, 2)],
  ])('refuse %s', (_, transition) => expect(transition).toThrow(BuildRefused));
});
