import * as catalogue from '../../../src/engine/builds/catalogue.js';
import { BuildRefused, NO_BUILDS, type Entry } from '../../../src/engine/builds/catalogue.js';

const AT = '2026-02-01T09:00:00.000Z';

const one = catalogue.founded(NO_BUILDS, AT);
const twoBuilding = catalogue.begun(one, AT);
const twoReady = catalogue.caughtUp(twoBuilding, 2, false);
const twoActive = catalogue.switched(twoReady, 2);

const statuses = ({ builds }: Entry) => builds.map(({ n, status }) => `#${n} ${status}`);

describe('The builds of a projection', () => {
  it('begin with one that is active at once where there is nothing to fold', () => {
    expect(one).toMatchObject({ active: 1, previous: null, next: 2 });
    expect(one.builds).toEqual([{ n: 1, status: 'active', created_at: AT, error: null }]);
  });

  it('begin with one that becomes active as soon as it has caught up', () => {
    const building = catalogue.begun(NO_BUILDS, AT);
    expect(building).toMatchObject({ active: null });
    expect(catalogue.caughtUp(building, 1, false)).toMatchObject({ active: 1 });
  });

  it('are made one beside the other', () => {
    expect(statuses(twoBuilding)).toEqual(['#1 active', '#2 building']);
    expect(statuses(twoReady)).toEqual(['#1 active', '#2 ready']);
    expect(twoReady.active).toBe(1);
  });

  it('are switched in one step, and the old one follows on', () => {
    expect(twoActive).toMatchObject({ active: 2, previous: 1 });
    expect(statuses(twoActive)).toEqual(['#1 retired', '#2 active']);
    expect(catalogue.caughtUp(twoBuilding, 2, true)).toEqual(twoActive);
    expect(catalogue.followed(twoActive).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('go back in one step, and forth again', () => {
    const back = catalogue.rolledBack(twoActive);
    expect(back).toMatchObject({ active: 1, previous: 2 });
    expect(catalogue.rolledBack(back)).toMatchObject({ active: 2, previous: 1 });
  });

  it('resume one that failed, and forget why', () => {
    const failed = catalogue.failed(twoBuilding, 2, 'thirteen');
    expect(failed.builds[1]).toMatchObject({ status: 'failed', error: 'thirteen' });
    expect(catalogue.resumed(failed, 2).builds[1]).toMatchObject({ status: 'building', error: null });
    expect(catalogue.resumed(twoBuilding, 2)).toBe(twoBuilding);
  });

  it('go away in two steps, and with them the way back', () => {
    const dropping = catalogue.dropping(twoActive, 1);
    expect(dropping.previous).toBeNull();
    expect(statuses(dropping)).toEqual(['#1 dropping', '#2 active']);
    expect(catalogue.dropping(dropping, 1)).toBe(dropping);
    expect(statuses(catalogue.gone(dropping, 1))).toEqual(['#2 active']);
    expect(catalogue.gone(twoActive, 1)).toEqual(twoActive);
  });

  it('never use a number again', () => {
    const gone = catalogue.gone(catalogue.dropping(twoReady, 2), 2);
    expect(catalogue.begun(gone, AT).builds.map(({ n }) => n)).toEqual([1, 3]);
  });

  it('stay where they are while paused', () => {
    const paused = catalogue.paused(twoActive);
    expect(catalogue.followed(paused)).toEqual([]);
    expect(catalogue.paused(paused)).toBe(paused);
    expect(catalogue.followedAgain(paused)).toEqual(twoActive);
  });

  it.each<[string, () => Entry]>([
    ['a second build beside one that is under way', () => catalogue.begun(twoBuilding, AT)],
    ['a second build beside one that failed', () => catalogue.begun(catalogue.failed(twoBuilding, 2, 'thirteen'), AT)],
    ['to switch to one that has not caught up', () => catalogue.switched(twoBuilding, 2)],
    ['to switch to the one that is active', () => catalogue.switched(twoActive, 2)],
    ['to switch to an unknown one', () => catalogue.switched(twoActive, 7)],
    ['to go back where there is no way back', () => catalogue.rolledBack(one)],
    ['to drop the active one', () => catalogue.dropping(twoActive, 2)],
    ['to finish one twice', () => catalogue.caughtUp(twoReady, 2, true)],
    ['to resume one that is ready', () => catalogue.resumed(twoReady, 2)],
  ])('refuse %s', (_, transition) => expect(transition).toThrow(BuildRefused));
});
