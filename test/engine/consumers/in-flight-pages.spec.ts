import { InFlightPages } from '../../../src/engine/consumers/in-flight-pages.js';

function pages(room: number) {
  const inFlight = new InFlightPages(room);
  const passed: string[] = [];
  const started: string[] = [];
  /** A page that the test completes. */
  const page = (name: string, size = 1) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const added = inFlight
      .add(size, promise, (outcome) => passed.push(outcome))
      .then(() => void started.push(`after ${name}`));
    return { added, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  const turns = () => new Promise(setImmediate);
  return { inFlight, passed, started, page, turns };
}

describe('Pages in flight', () => {
  it('are completed in order, whichever is done first', async () => {
    const { passed, page, turns } = pages(2);
    const [first, second] = [page('first'), page('second')];
    second.end();
    await turns();
    expect(passed).toEqual([]);
    first.end();
    await turns();
    expect(passed).toEqual(['first', 'second']);
  });

  it('let the next page start while there is capacity', async () => {
    const { started, page, turns } = pages(2);
    const first = page('first');
    page('second', 2);
    await turns();
    expect(started).toEqual(['after first']);
    first.end();
    await turns();
    expect(started).toEqual(['after first', 'after second']);
  });

  it('are processed one by one without capacity for more', async () => {
    const { started, page, turns } = pages(0);
    const first = page('first');
    await turns();
    expect(started).toEqual([]);
    first.end();
    await first.added;
    expect(started).toEqual(['after first']);
  });

  it('are not completed after a failed one, whose error a caller that waits for capacity gets', async () => {
    const { inFlight, passed, page } = pages(1);
    const [first, second] = [page('first'), page('second')];
    second.end();
    first.fail();
    await expect(second.added).rejects.toThrow('first');
    await inFlight.waitForAll();
    expect(passed).toEqual([]);
  });
});
