import { signatureHeaders } from '../../../src/webhooks/sending/signature.js';
import { attemptOf, CHAIN, planned, started } from '../../webhooks/facts.js';
import { logOf, requestOf, type Planted } from './planted.js';
import { staleSignatures } from './signatures.js';

const TOLD = new Map([
  ['req_creation', `whsec_${Buffer.alloc(32, 1).toString('base64')}`],
  ['req_rotation', `whsec_${Buffer.alloc(32, 2).toString('base64')}`],
]);
const [old, current] = [TOLD.get('req_creation')!, TOLD.get('req_rotation')!];

const created: Planted = ['endpoint-whs_1', { type: 'EndpointCreated', data: { endpointId: 'whs_1' } }, 'req_creation'];
const rotated: Planted = ['endpoint-whs_1', { type: 'SecretRotated', data: { endpointId: 'whs_1' } }, 'req_rotation'];
const attempt = attemptOf(1);
const begun: Planted[] = [
  ['chain-1', planned],
  ['chain-1', started(attempt)],
];

function signedWith(secret: string) {
  const plain = requestOf(CHAIN, attempt);
  const headers = signatureHeaders(secret, { eventId: CHAIN.eventId, seconds: 1_769_936_400, body: Buffer.from(plain.body) });
  return { ...plain, headers: { 'x-service-signature': headers['X-Service-Signature'] } };
}

describe('The check of I12, signatures and rotations,', () => {
  it('finds the old secret in an attempt started after the rotation', () => {
    const log = logOf(created, rotated, ...begun);

    expect(staleSignatures([signedWith(current)], log, TOLD)).toEqual([]);
    expect(staleSignatures([signedWith(old)], log, TOLD)).toHaveLength(1);
  });

  it('accepts both secrets in an attempt started before the rotation', () => {
    const log = logOf(created, ...begun, rotated);

    expect(staleSignatures([signedWith(old), signedWith(current)], log, TOLD)).toEqual([]);
  });

  it('finds the old secret even if no response showed the new one', () => {
    const log = logOf(created, rotated, ...begun);
    const untold = new Map([['req_creation', old]]);

    expect(staleSignatures([signedWith(current)], log, untold)).toEqual([]);
    expect(staleSignatures([signedWith(old)], log, untold)).toHaveLength(1);
  });

  it('finds an unknown secret and an attempt without a recorded start', () => {
    expect(staleSignatures([signedWith('whsec_foreign')], logOf(created, ...begun), TOLD)).toHaveLength(1);
    expect(staleSignatures([signedWith(old)], logOf(created), TOLD)).toHaveLength(1);
  });
});
