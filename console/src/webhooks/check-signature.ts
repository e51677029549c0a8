/** One part of a signature and whether it fits. */
export interface Check {
  readonly part: string;
  readonly fits: boolean;
  readonly detail: string;
}

const TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** Checks the headers and the body of a request against a signing secret, part by part. */
export async function checkSignature(
  secret: string,
  headers: string,
  body: string,
  now: number,
): Promise<readonly Check[]> {
  const given = parseHeaders(headers);
  const encoded = SECRET.exec(secret)?.[1];
  const form = {
    part: 'Secret',
    fits: encoded !== undefined,
    detail: encoded === undefined ? 'It starts with whsec_ and is base64.' : '',
  };
  if (encoded === undefined) return [form];
  const signatures = [
    ...(await checkServiceSignature(secret, given.get('x-service-signature'), body)),
    ...(await checkStandardSignature(encoded, given, body)),
  ];
  if (signatures.length === 0)
    return [
      form,
      { part: 'Headers', fits: false, detail: 'X-Service-Signature and webhook-signature are both missing.' },
    ];
  return [form, checkTime(given, now), ...signatures];
}

async function checkServiceSignature(
  secret: string,
  header: string | undefined,
  body: string,
): Promise<readonly Check[]> {
  if (header === undefined) return [];
  const part = 'X-Service-Signature';
  const [, time, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (time === undefined) return [{ part, fits: false, detail: 'It has the form t=<seconds>,v1=<64 hex digits>.' }];
  const mac = await sign(new TextEncoder().encode(secret), `${time}.${body}`);
  const fits = toHex(mac) === given;
  return [
    { part, fits, detail: fits ? '' : 'The secret or the body differs. The body must be the exact bytes that came.' },
  ];
}

async function checkStandardSignature(
  encoded: string,
  given: ReadonlyMap<string, string>,
  body: string,
): Promise<readonly Check[]> {
  const [id, time, header] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => given.get(name));
  if (header === undefined) return [];
  const part = 'webhook-signature';
  if (id === undefined || time === undefined)
    return [{ part, fits: false, detail: 'webhook-id and webhook-timestamp are signed too; add both.' }];
  const key = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  const mac = toBase64(await sign(key, `${id}.${time}.${body}`));
  const fits = header.split(' ').includes(`v1,${mac}`);
  return [{ part, fits, detail: fits ? '' : 'The secret, the id, the timestamp or the body differs.' }];
}

function checkTime(given: ReadonlyMap<string, string>, now: number): Check {
  const seconds = Number(/t=(\d+)/.exec(given.get('x-service-signature') ?? '')?.[1] ?? given.get('webhook-timestamp'));
  const age = Math.round(now / 1000 - seconds);
  return {
    part: 'Timestamp',
    // The check of an old request is about its signature, so its age is shown and never an error.
    fits: !Number.isNaN(age),
    detail:
      Math.abs(age) <= TOLERANCE_SECONDS ? '' : `It is ${age} seconds old: receivers reject it as a repeated request.`,
  };
}

function parseHeaders(text: string): ReadonlyMap<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
  });
  return new Map(pairs);
}

async function sign(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text)));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
