/** Encodes a text as UTF-8. */
export function toBytes(payload: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  return payload instanceof Uint8Array ? payload : new Uint8Array(payload);
}

export function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Imports a key for HMAC with SHA-256. */
export function importKey(bytes: Uint8Array, usage: 'sign' | 'verify') {
  return crypto.subtle.importKey('raw', Uint8Array.from(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}
