import { createSignatureHeaders } from '../../../src/webhooks/delivery/signature.js';
import { CHAIN, createAttempt, planned, started } from '../../webhooks/facts.js';
import { createLog, createRequest, type SampleFact } from './sample-log.js';
import { findStaleSignatures } from './signatures.js';

const SECRETS = new Map([
  ['req_creation', `whsec_${Buffer.alloc(32, 1).toString('base64')}`],
  ['req_rotation', `whsec_${Buffer.alloc(32, 2).toString('base64')}`],
]);
const [old, current] = [SECRETS.get('req_creation')!, SECRETS.get('req_rotation')!];

const created: SampleFact = [
  'endpoint-whs_1',
  { type: 'EndpointCreated', data: { endpointId: 'whs_1' } },
  'req_creation',
];
const rotated: SampleFact = [
  'endpoint-whs_1',
  { type: 'SecretRotated', data: { endpointId: 'whs_1' } },
  'req_rotation',
];
const attempt = createAttempt(1);
const beforeAttempt: SampleFact[] = [
  ['deliveryChain-1', planned],
  ['deliveryChain-1', started(attempt)],
];

function signWith(secret: string) {
  const plain = createRequest(CHAIN, attempt);
  const headers = createSignatureHeaders(secret, {
    eventId: CHAIN.eventId,
    seconds: 1_769_936_400,
    body: Buffer.from(plain.body),
  });
  return { ...plain, headers: { 'x-service-signature': headers['X-Service-Signature'] } };
}

describe('The check of I12, signatures and rotations,', () => {
  it('finds the old secret in an attempt started after the rotation', () => {
    const log = createLog(created, rotated, ...beforeAttempt);

    expect(findStaleSignatures([signWith(current)], log, SECRETS)).toEqual([]);
    expect(findStaleSignatures([signWith(old)], log, SECRETS)).toHaveLength(1);
  });

  it('accepts both secrets in an attempt started before the rotation', () => {
    const log = createLog(created, ...beforeAttempt, rotated);

    expect(findStaleSignatures([signWith(old), signWith(current)], log, SECRETS)).toEqual([]);
  });

  it('finds the old secret even if no response showed the new one', () => {
    const log = createLog(created, rotated, ...beforeAttempt);
    const untold = new Map([['req_creation', old]]);

    expect(findStaleSignatures([signWith(current)], log, untold)).toEqual([]);
    expect(findStaleSignatures([signWith(old)], log, untold)).toHaveLength(1);
  });

  it('finds an unknown secret and an attempt without a recorded start', () => {
    expect(
      findStaleSignatures([signWith('whsec_foreign')], createLog(created, ...beforeAttempt), SECRETS),
    ).toHaveLength(1);
    expect(findStaleSignatures([signWith(old)], createLog(created), SECRETS)).toHaveLength(1);
  });
});
