import fc from 'fast-check';
import { buildThankYouUrl, normalizeRedirectUrl } from '../../../src/commerce/domain/thank-you-url.js';

const BASE = 'https://shop.example/thanks';
const FLAG = '&metadata_truncated=true';

/** Returns metadata that give the URL exactly this length. */
function fillTo(length: number, key = 'note'): Record<string, string> {
  return { [key]: 'x'.repeat(length - buildThankYouUrl(BASE, 'ord_1', { [key]: '' }).length) };
}

function splitFragment(url: string): readonly [string, string] {
  const at = url.includes('#') ? url.indexOf('#') : url.length;
  return [url.slice(0, at), url.slice(at)];
}

describe('The thank-you URL', () => {
  it('contains the order id, then the metadata in order', () =>
    expect(buildThankYouUrl(BASE, 'ord_1', { b: 'spring sale', a: 1, c: true })).toBe(
      `${BASE}?order=ord_1&b=spring+sale&a=1&c=true`,
    ));

  it('keeps the query and the fragment of the redirect URL', () =>
    expect(buildThankYouUrl(`${BASE}?shop=1#end`, 'ord_1', { a: 'b' })).toBe(`${BASE}?shop=1&order=ord_1&a=b#end`));

  it.each(['items=1,2/3:4!(5)~{6}', 'flag&empty=&=&&', 'order=6&order_id=5', 'a=%7e+%20;b', 'quote=%27&sig=a/b=='])(
    'keeps the query %s byte for byte',
    (query) =>
      expect(buildThankYouUrl(`${BASE}?${query}`, 'ord_1', {})).toBe(
        `${BASE}?${query}${query.endsWith('&') ? '' : '&'}order=ord_1`,
      ),
  );

  it.each([
    ['?', '?order=ord_1'],
    ['', '?order=ord_1'],
    ['#a?b', '?order=ord_1#a?b'],
  ])('adds the order after %j', (end, added) => expect(buildThankYouUrl(BASE + end, 'ord_1', {})).toBe(BASE + added));

  it('keeps every query and fragment, and at most 2,000 characters', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    const hostile = fc.stringMatching(/^[,/:!(~{}'"<>%&=+?; \\^|`\u202e]{0,400}$/);
    const anyText = fc.oneof(text, hostile);
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.dictionary(anyText, fc.oneof(anyText, fc.integer())),
        (query, hash, metadata) => {
          const stored = normalizeRedirectUrl(`${BASE}?${query}${hash && `#${hash}`}`);
          fc.pre(stored.length <= 1_500);
          const url = buildThankYouUrl(stored, 'ord_1', metadata);
          const [base, fragment] = splitFragment(stored);
          const [sent, sentFragment] = splitFragment(url);
          expect(url.length).toBeLessThanOrEqual(2_000);
          expect(sent.startsWith(base)).toBe(true);
          expect(sent.slice(base.length)).toMatch(/^[?&]?order=ord_1(&|$)/);
          expect(sentFragment).toBe(fragment);
          expect(normalizeRedirectUrl(url)).toBe(url);
        },
      ),
      { seed: 8, numRuns: 300 },
    );
  });

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
