import { toComparableEmail } from '../../src/kernel/encrypted-field.js';
import { hasDisplayControl, hasInvisible, isBlank, toComparableName } from '../../src/kernel/text.js';

describe('A text', () => {
  it.each(['', ' ', '\n\t', '\u00a0', '\u200b', '\u00ad', '\u202e', '\u2060', '\ufeff', '\ufffd', '\u3164', '\u2800'])(
    'is blank when a reader sees nothing of it: %j',
    (text) => expect(isBlank(text)).toBe(true),
  );

  it.each(['.', 'é', '\u200bx', '🏺', '\u{1faea}', 'نام\u200cه'])('is not blank with a visible character: %j', (text) =>
    expect(isBlank(text)).toBe(false),
  );

  it.each(['a\u200bb@x.com', 'ab@x.com\u200b', 'a\u00adb@x.com', 'a\u202eb@x.com', 'ab@x\ufffdy.com', 'a b@x.com'])(
    'has invisible characters as an address: %j',
    (address) => expect(hasInvisible(address)).toBe(true),
  );

  it('has none as an address of visible letters', () => expect(hasInvisible('josé+pots@bücher.example')).toBe(false));

  it.each(['a\u001b[31m', 'a\rb', 'a\nb', 'a\u0007', 'a\u0085', 'a\u2028', 'a\u202e', 'a\u2066'])(
    'can change the text beside it: %j',
    (text) => expect(hasDisplayControl(text)).toBe(true),
  );

  it.each(['Töpfe', 'אבג', '👨\u200d👩\u200d👧', 'نام\u200cه'])('cannot as a plain name: %j', (text) =>
    expect(hasDisplayControl(text)).toBe(false),
  );

  it('is compared as a name without letter case and in one form of accents', () => {
    expect(toComparableName('NE\u0302WS')).toBe(toComparableName('nêws'));
    expect(toComparableName('News')).not.toBe(toComparableName('Nêws'));
  });
});

describe('An address', () => {
  it.each([
    ['x@bücher.example', 'X@xn--bcher-kva.example '],
    ['x@bu\u0308cher.example', 'x@BÜCHER.example'],
    ['jose\u0301@x.com', 'josé@x.com'],
  ])('is compared by the A-label of its domain: %s and %s', (one, other) =>
    expect(toComparableEmail(one)).toBe(toComparableEmail(other)),
  );

  it('keeps the letters of its local part', () =>
    expect(toComparableEmail('josé@bücher.example')).toBe('josé@xn--bcher-kva.example'));

  it('differs from another domain', () =>
    expect(toComparableEmail('x@bucher.example')).not.toBe(toComparableEmail('x@bücher.example')));

  it('without a domain is only normalised', () => expect(toComparableEmail(' Zoë Miller ')).toBe('zoë miller'));
});
