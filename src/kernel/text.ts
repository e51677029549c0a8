/**
 * Characters without a visible form: spaces, control and format characters (a zero-width space, a soft hyphen, a text
 * direction mark), and the replacement character of text that was decoded wrongly.
 */
const INVISIBLE = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFFD`;
const VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u');
const INVISIBLE_IN_ADDRESS = new RegExp(`[${INVISIBLE}]`, 'u');
/** Control characters, line separators, and characters that change the direction of the text around them. */
const DISPLAY_CONTROL = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u;

/** The most characters of an e-mail address (RFC 5321). */
export const MAX_EMAIL_CHARACTERS = 254;

/** Returns whether a reader sees nothing of the text. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Returns whether an e-mail address or a URL has a character that nobody sees: it would look like another address. */
export function hasInvisible(address: string): boolean {
  return INVISIBLE_IN_ADDRESS.test(address);
}

/**
 * Returns whether a text that is compared or used as a key, such as a code, has a character that nobody sees: two such
 * texts would look the same. A space is seen between two words.
 */
export function hasHidden(key: string): boolean {
  return hasInvisible(key.replaceAll(' ', ''));
}

/** Returns whether the text can change how a terminal or a page shows the text beside it. */
export function hasDisplayControl(text: string): boolean {
  return DISPLAY_CONTROL.test(text);
}

/** Returns the form in which names are compared: letter case and the encoding of accents do not distinguish them. */
export function toComparableName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}
