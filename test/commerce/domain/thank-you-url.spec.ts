import { buildThankYouUrl } from '../../../src/commerce/domain/thank-you-url.js';

const BASE = 'https://shop.example/thanks';
const FLAG = '&metadata_truncated=true';

/** Returns metadata that give the URL exactly this length. */
function fillTo(length: number, key = 'note'): Record<string, string> {
  return { [key]: 'x'.repeat(length - buildThankYouUrl(BASE, 'ord_1', { [key]: '' }).length) };
}

describe('The thank-you URL', () => {
  it('contains the order id, then the metadata in order', () =>
    expect(buildThankYouUrl(BASE, 'ord_1', { b: 'spring sale', a: 1, c: true })).toBe(
      `${BASE}?order=ord_1&b=spring+sale&a=1&c=true`,
    ));

  it('keeps the query and the fragment of the redirect URL', () =>
    expect(buildThankYouUrl(`${BASE}?shop=1#end`, 'ord_1', { a: 'b' })).toBe(`${BASE}?shop=1&order=ord_1&a=b#end`));

  it('removes reserved keys from the redirect URL', () =>
    expect(buildThankYouUrl(`${BASE}?order_id=5&metadata_truncated=true&order=6`, 'ord_1', {})).toBe(
      `${BASE}?order=ord_1`,
    ));

  it.each([1_999, 2_000])('keeps all metadata at %i characters', (length) => {
    const url = buildThankYouUrl(BASE, 'ord_1', fillTo(length));
    expect(url).toHaveLength(length);
    expect(url).not.toContain('metadata_truncated');
  });

  it('leaves out the key that exceeds 2,000 characters and sets the flag', () =>
    expect(buildThankYouUrl(BASE, 'ord_1', fillTo(2_001))).toBe(`${BASE}?order=ord_1${FLAG}`));

  it('stops at the first key that does not fit with the flag', () => {
    const fits = fillTo(2_000 - FLAG.length, 'fits');
    const url = buildThankYouUrl(BASE, 'ord_1', { ...fits, never: 'x'.repeat(30), small: 'x' });
    expect(url).toHaveLength(2_000);
    expect(url.endsWith(`x${FLAG}`)).toBe(true);
  });

  it('counts encoded characters', () =>
    expect(buildThankYouUrl(BASE, 'ord_1', { word: 'é'.repeat(400) })).toBe(`${BASE}?order=ord_1${FLAG}`));

  it.each([
    [{ order: 'x' }],
    [{ order_id: 'x' }],
    [{ order_uuid: 'x' }],
    [{ metadata_truncated: 'false' }],
    [{ list: [] }],
    [{ object: {} }],
  ])('leaves out %j and sets the flag', (metadata) =>
    expect(buildThankYouUrl(BASE, 'ord_1', { ...metadata, a: 'b' })).toBe(`${BASE}?order=ord_1&a=b${FLAG}`),
  );
});
