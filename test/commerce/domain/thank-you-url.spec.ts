import { thankYouUrl } from '../../../src/commerce/domain/thank-you-url.js';

const BASE = 'https://shop.example/thanks';
const FLAG = '&metadata_truncated=true';

/** A value that makes the whole exactly this long. */
function filling(length: number, key = 'note'): Record<string, string> {
  return { [key]: 'x'.repeat(length - thankYouUrl(BASE, 'ord_1', { [key]: '' }).length) };
}

describe('The thank-you URL', () => {
  it('names the order, then the metadata in their order', () =>
    expect(thankYouUrl(BASE, 'ord_1', { b: 'spring sale', a: 1, c: true })).toBe(`${BASE}?order=ord_1&b=spring+sale&a=1&c=true`));

  it('keeps the query and the fragment that it was given', () =>
    expect(thankYouUrl(`${BASE}?shop=1#end`, 'ord_1', { a: 'b' })).toBe(`${BASE}?shop=1&order=ord_1&a=b#end`));

  it('takes its own names out of what it was given', () =>
    expect(thankYouUrl(`${BASE}?order_id=5&metadata_truncated=true&order=6`, 'ord_1', {})).toBe(`${BASE}?order=ord_1`));

  it.each([1_999, 2_000])('holds %i characters whole', (length) => {
    const url = thankYouUrl(BASE, 'ord_1', filling(length));
    expect(url).toHaveLength(length);
    expect(url).not.toContain('metadata_truncated');
  });

  it('leaves out the key that makes 2,001 characters, and says so', () =>
    expect(thankYouUrl(BASE, 'ord_1', filling(2_001))).toBe(`${BASE}?order=ord_1${FLAG}`));

  it('ends at the first key that does not fit, its flag counted', () => {
    const fits = filling(2_000 - FLAG.length, 'fits');
    const url = thankYouUrl(BASE, 'ord_1', { ...fits, never: 'x'.repeat(30), small: 'x' });
    expect(url).toHaveLength(2_000);
    expect(url.endsWith(`x${FLAG}`)).toBe(true);
  });

  it('counts what is encoded', () => expect(thankYouUrl(BASE, 'ord_1', { word: 'é'.repeat(400) })).toBe(`${BASE}?order=ord_1${FLAG}`));

  it.each([
    [{ order: 'x' }],
    [{ order_id: 'x' }],
    [{ order_uuid: 'x' }],
    [{ metadata_truncated: 'false' }],
    [{ list: [] }],
    [{ object: {} }],
  ])('leaves out %j, and says so', (metadata) =>
    expect(thankYouUrl(BASE, 'ord_1', { ...metadata, a: 'b' })).toBe(`${BASE}?order=ord_1&a=b${FLAG}`),
  );
});
