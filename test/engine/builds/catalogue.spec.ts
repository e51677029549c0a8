import * as catalogue from '../../../src/engine/builds/catalogue.js';
import { BuildRefused, NO_BUILDS, type Entry } from '../../../src/engine/builds/catalogue.js';

const AT = '2026-02-01T09:00:00.000Z';

const one = catalogue.founded(NO_BUILDS, AT);
const twoBuilding = catalogue.begun(one, AT);
const twoReady = catalogue.caughtUp(twoBuilding, 2, false);
const twoActive = catalogue.switched(twoReady, 2);

const statuses = ({ builds }: Entry) => builds.map(({ n, status }) => `#${n} ${status}`);

describe('The builds of a projection', () => {
  it('start with an active build on an empty log', () => {
    expect(one).toMatchObject({ active: 1, previous: null, next: 2 });
    expect(one.builds).toEqual([{ n: 1, status: 'active', created_at: AT, error: null }]);
  });

  it('start with a build that becomes active when it has caught up', () => {
    const building = catalogue.begun(NO_BUILDS, AT);
    expect(building).toMatchObject({ active: null });
    expect(catalogue.caughtUp(building, 1, false)).toMatchObject({ active: 1 });
  });

  it('are created beside each other', () => {
    expect(statuses(twoBuilding)).toEqual(['#1 active', '#2 building']);
    expect(statuses(twoReady)).toEqual(['#1 active', '#2 ready']);
    expect(twoReady.active).toBe(1);
  });

  it('are switched in one step, and the old one is still followed', () => {
    expect(twoActive).toMatchObject({ active: 2, previous: 1 });
    expect(statuses(twoActive)).toEqual(['#1 retired', '#2 active']);
    expect(catalogue.caughtUp(twoBuilding, 2, true)).toEqual(twoActive);
    expect(catalogue.followed(twoActive).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('are rolled back in one step, and forward again', () => {
    const back = catalogue.rolledBack(twoActive);
    expect(back).toMatchObject({ active: 1, previous: 2 });
    expect(catalogue.rolledBack(back)).toMatchObject({ active: 2, previous: 1 });
  });

  it('resume a failed build and clear its error', () => {
    const failed = catalogue.failed(twoBuilding, 2, 'thirteen');
    expect(failed.builds[1]).toMatchObject({ status: 'failed', error: 'thirteen' });
    expect(catalogue.resumed(failed, 2).builds[1]).toMatchObject({ status: 'building', error: null });
    expect(catalogue.resumed(twoBuilding, 2)).toBe(twoBuilding);
  });

  it('are removed in two steps, which also removes the rollback', () => {
    const dropping = catalogue.dropping(twoActive, 1);
    expect(dropping.previous).toBeNull();
    expect(statuses(dropping)).toEqual(['#1 dropping', '#2 active']);
    expect(catalogue.dropping(dropping, 1)).toBe(dropping);
    expect(statuses(catalogue.gone(dropping, 1))).toEqual(['#2 active']);
    expect(catalogue.gone(twoActive, 1)).toEqual(twoActive);
  });

  it('never reuse a number', () => {
    const gone = catalogue.gone(catalogue.dropping(twoReady, 2), 2);
    expect(catalogue.begun(gone, AT).builds.map(({ n }) => n)).toEqual([1, 3]);
  });

  it('are not followed while paused', () => {
    const paused = catalogue.paused(twoActive);
    expect(catalogue.followed(paused)).toEqual([]);
    expect(catalogue.paused(paused)).toBe(paused);
    expect(catalogue.followedAgain(paused)).toEqual(twoActive);
  });

  it.each<[string, () => Entry]>([
    ['a second build beside one in progress', () => catalogue.begun(twoBuilding, AT)],
    ['a second build beside a failed one', () => catalogue.begun(catalogue.failed(twoBuilding, 2, 'thirteen'), AT)],
    ['a switch to a build that has not caught up', () => catalogue.switched(twoBuilding, 2)],
    ['a switch to the active build', () => catalogue.switched(twoActive, 2)],
    ['a switch to an unknown build', () => catalogue.switched(twoActive, 7)],
    ['a rollback without a previous build', () => catalogue.rolledBack(one)],
    ['a drop of the active build', () => catalogue.dropping(twoActive, 2)],
    ['a second completion of a build', () => catalogue.caughtUp(twoReady, 2, true)],
    ['a resume of a ready build', () => catalogue.resumed(twoReady, 2)],
  ])('refuse %s', (_, transition) => expect(transition).toThrow(BuildRefused));
});
