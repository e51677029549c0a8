import canonicalize from 'canonicalize';

export interface Manifest {
  readonly business: string | null;
  readonly format: string;
  readonly count: number;
  readonly sha256: string;
  readonly chain: { readonly count: number; readonly head: string };
  readonly checkpoint: {
    readonly count: number;
    readonly position: string;
    readonly head: string;
    readonly signature: string;
  };
}

export interface Verification {
  readonly events: number;
  /** Null: everything fits. */
  readonly mismatch: { readonly line: number | null; readonly position: string | null; readonly reason: string } | null;
}

type Line =
  | { readonly object: 'chain_start'; readonly count: number; readonly head: string }
  | { readonly object: 'leaf'; readonly number: number; readonly leaf: string }
  | {
      readonly object: 'event';
      readonly number: number;
      readonly position: string;
      readonly head: string;
      readonly event: Readonly<Record<string, unknown>>;
    };

/** The state of the chain after the lines before. */
interface ChainState {
  readonly count: number;
  readonly head: string;
  readonly events: number;
  readonly position: string | null;
}

/**
 * Verifies an NDJSON export with its manifest, in this page alone.
 * @param publicKey the Ed25519 key of the service in base64url; an empty text leaves the signature unchecked
 */
export async function verifyExport(file: ArrayBuffer, manifest: Manifest, publicKey: string): Promise<Verification> {
  const lines = new TextDecoder().decode(file).split('\n');
  if (lines.at(-1) === '') lines.pop();
  let state: ChainState | null = null;
  for (const [index, text] of lines.entries()) {
    const next: ChainState | string = await addLine(text, state);
    if (typeof next === 'string')
      return { events: state?.events ?? 0, mismatch: { line: index + 1, position: positionOf(text), reason: next } };
    state = next;
  }
  const reason = await findEndMismatch(file, state, manifest, publicKey);
  const events = state?.events ?? 0;
  return { events, mismatch: reason === null ? null : { line: null, position: state?.position ?? null, reason } };
}

/** Returns the state after the line, or why the line does not fit. */
async function addLine(text: string, state: ChainState | null): Promise<ChainState | string> {
  const line = parse(text);
  if (line === null) return 'The line is not a record of an export.';
  if (canonicalize(line) !== text) return 'The line is not in the canonical form.';
  if (line.object === 'chain_start') {
    if (state !== null) return 'The chain starts twice.';
    return { count: line.count, head: line.head, events: 0, position: null };
  }
  if (state === null) return 'The start of the chain is missing.';
  if (line.number !== state.count + 1) return `The record has number ${line.number}; ${state.count + 1} is expected.`;
  if (line.object === 'leaf') return { ...state, count: line.number, head: await extend(state.head, line.leaf) };
  const head = await extend(state.head, await hashText(canonicalize(line.event)!));
  if (head !== line.head) return 'The hash of the event, or of a record before it, differs.';
  if (state.position !== null && line.position <= state.position) return 'The position is not after the one before it.';
  return { count: line.number, head, events: state.events + 1, position: line.position };
}

async function findEndMismatch(
  file: ArrayBuffer,
  state: ChainState | null,
  manifest: Manifest,
  publicKey: string,
): Promise<string | null> {
  const { chain, count, sha256, checkpoint, business } = manifest;
  if (state === null || state.count !== chain.count)
    return `The file ends with event ${state?.count ?? 0} of ${chain.count}.`;
  if (state.head !== chain.head) return 'The head of the chain differs.';
  if (state.events !== count) return 'The number of events differs.';
  if ((await hashBytes(file)) !== sha256) return 'The SHA-256 of the file differs.';
  if (checkpoint.count !== chain.count || checkpoint.head !== chain.head) return 'The checkpoint signs another head.';
  if (publicKey === '' || (await isSigned(checkpoint, business, publicKey))) return null;
  return 'The signature of the checkpoint is invalid.';
}

async function isSigned(
  { count, position, head, signature }: Manifest['checkpoint'],
  business: string | null,
  publicKey: string,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: publicKey }, 'Ed25519', false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(canonicalize({ business, count, position, head }));
  return crypto.subtle.verify('Ed25519', key, fromBase64Url(signature), signed);
}

function parse(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Line;
    return ['chain_start', 'leaf', 'event'].includes(line.object) ? line : null;
  } catch {
    return null;
  }
}

function positionOf(text: string): string | null {
  const line = parse(text);
  return line?.object === 'event' ? line.position : null;
}

async function extend(head: string, leaf: string): Promise<string> {
  return hashBytes(fromHex(head + leaf));
}

async function hashText(text: string): Promise<string> {
  return hashBytes(new TextEncoder().encode(text));
}

async function hashBytes(bytes: BufferSource): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}
