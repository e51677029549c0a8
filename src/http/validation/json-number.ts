const DOT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
/** Every decimal number with so few digits and no exponent has an exact place in a double. */
const SAFE_CHARACTERS = 15;
/** A longer number is no number that a caller means. The limit keeps the check cheap. */
const MAX_CHARACTERS = 400;
const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Returns the index after the number that begins at `start`. */
export function findNumberEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < bytes.length && isNumberByte(bytes[end]!)) end++;
  return end;
}

/**
 * Whether a number is stored as it was sent: an integer up to 2^53, or a fraction. A literal that overflows, or that
 * becomes an integer only because digits are lost, is not. Text that is no number is left to the parser. (Contract,
 * conventions: Numbers.)
 */
export function isExactNumber(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= SAFE_CHARACTERS && !hasExponent(bytes, start, end)) return true;
  if (end - start > MAX_CHARACTERS) return false;
  const literal = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const parts = DECIMAL.exec(literal);
  if (parts === null) return true;
  const value = Number(literal);
  if (!Number.isInteger(value)) return Number.isFinite(value);
  return Number.isSafeInteger(value) && isInteger(parts[1]!, parts[2] ?? '', Number(parts[3] ?? 0));
}

/** Whether a decimal literal is an integer: the digits after its point, moved by its exponent, are zeros. */
function isInteger(whole: string, fraction: string, exponent: number): boolean {
  const digits = (whole + fraction).replace(/0+$/, '');
  const trailingZeros = whole.length + fraction.length - digits.length;
  return /^0*$/.test(digits) || exponent - fraction.length + trailingZeros >= 0;
}

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === LOWER_E || bytes[i] === UPPER_E) return true;
  return false;
}

function isNumberByte(byte: number): boolean {
  const isDigit = byte >= ZERO && byte <= NINE;
  return isDigit || byte === DOT || byte === MINUS || byte === PLUS || byte === LOWER_E || byte === UPPER_E;
}
