export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

export interface DecodedFile {
  readonly text: string;
  readonly encoding: Encoding;
}

/** The bytes that are looked at when a file says nothing about its encoding. */
const SAMPLE_BYTES = 1_000;

/** Decodes a text file as spreadsheets save it. A mark at its start is left out of the text. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const utf16 = findUtf16(bytes);
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), encoding: 'UTF-16' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}

/** UTF-16 begins with a mark, or each second byte of its Latin letters is zero. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 1].map((parity) => sample.filter((byte, i) => i % 2 === parity && byte === 0).length);
  const isMostlyZero = (parity: number) => zeros[parity]! > sample.length / 4;
  if (isMostlyZero(1)) return 'utf-16le';
  return isMostlyZero(0) ? 'utf-16be' : null;
}
