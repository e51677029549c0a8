import { UnderWay } from '../../../src/engine/following/under-way.js';

function pages(room: number) {
  const underWay = new UnderWay(room);
  const passed: string[] = [];
  const begun: string[] = [];
  /** A page whose end the test decides. */
  const page = (name: string, size = 1) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const added = underWay.add(size, promise, (outcome) => passed.push(outcome)).then(() => void begun.push(`behind ${name}`));
    return { added, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  const turns = () => new Promise(setImmediate);
  return { underWay, passed, begun, page, turns };
}

describe('Pages under way', () => {
  it('are passed in their order, whichever is done first', async () => {
    const { passed, page, turns } = pages(2);
    const [first, second] = [page('first'), page('second')];
    second.end();
    await turns();
    expect(passed).toEqual([]);
    first.end();
    await turns();
    expect(passed).toEqual(['first', 'second']);
  });

  it('let the next one begin as long as there is room', async () => {
    const { begun, page, turns } = pages(2);
    const first = page('first');
    page('second', 2);
    await turns();
    expect(begun).toEqual(['behind first']);
    first.end();
    await turns();
    expect(begun).toEqual(['behind first', 'behind second']);
  });

  it('are done one by one where there is no room beside them', async () => {
    const { begun, page, turns } = pages(0);
    const first = page('first');
    await turns();
    expect(begun).toEqual([]);
    first.end();
    await first.added;
    expect(begun).toEqual(['behind first']);
  });

  it('are not passed follows an event that failed, which whoever waits for room hears of', async () => {
    const { underWay, passed, page } = pages(1);
    const [first, second] = [page('first'), page('second')];
    second.end();
    first.fail();
    await expect(second.added).rejects.toThrow('first');
    await underWay.ended();
    expect(passed).toEqual([]);
  });
});
