import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  describeSigningKey,
  isSignedBy,
  parsePublicKey,
  signChainCheckpoint,
} from '../../../src/audit/chain/checkpoint-signature.js';
import { EMPTY_HASH_CHAIN, extendChain, hashLeaf } from '../../../src/audit/chain/hash-chain.js';
import { upcast } from '../../../src/kernel/upcasting.js';
import { BUSINESS, chainOf, createChainedEvent, createChainedLog } from './chained-log.js';

const sha256 = (...parts: readonly (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

describe('The leaf of an event', () => {
  it('is the hash of its canonical JSON', () => {
    const event = { ...createChainedEvent(1), data: { b: 1, a: [null, 'é'] }, stream: 'jar-1', revision: 2 };
    const { id, meta } = event;
    const json =
      `{"data":{"a":[null,"é"],"b":1},"id":"${id}","meta":{"actor":{"id":"key_1","type":"api_key"},"at":"${meta.at}",` +
      `"business":"biz_1","causationId":"req_1","command":"AddCoins","commandId":"${id}","correlationId":"req_1",` +
      `"mode":"live","requestId":"-req","v":1},"revision":2,"stream":"jar-1","type":"CoinsAdded"}`;

    expect(hashLeaf(event)).toBe(sha256(json).toString('hex'));
  });

  it('ignores the position, the order of the keys and absent values', () => {
    const event = createChainedEvent(1, { a: 1, b: 2 });
    const same = { ...event, position: 'other', data: { b: 2, c: undefined, a: 1 } };

    expect(hashLeaf(same)).toBe(hashLeaf(event));
  });

  it('is that of the stored event after an upcaster has converted it', () => {
    const event = createChainedEvent(1);
    const upcasters = {
      'CoinsAdded@1': (old: typeof event) => ({ ...old, data: { ...old.data, more: 1 }, meta: { ...old.meta, v: 2 } }),
    };
    const converted = upcast(event, upcasters as never);

    expect(converted.meta.v).toBe(2);
    expect(hashLeaf(converted)).toBe(hashLeaf(event));
  });
});

describe('The hash chain', () => {
  it('hashes the bytes of the head and of the leaf', () => {
    const leaf = hashLeaf(createChainedEvent(1));
    const head = sha256(Buffer.alloc(32), Buffer.from(leaf, 'hex')).toString('hex');

    expect(extendChain(EMPTY_HASH_CHAIN, leaf)).toEqual({ count: 1, head });
  });

  it('depends on the order', () => {
    const [first, second, third] = createChainedLog(3);
    expect(chainOf([first!, third!, second!])).not.toEqual(chainOf([first!, second!, third!]));
  });
});

describe('A signed checkpoint', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { public_key: publicKey, key_id: keyId } = describeSigningKey(privateKey);
  const state = { ...chainOf(createChainedLog(3)), position: '0000000000000021' };
  const signed = { ...state, signature: signChainCheckpoint(BUSINESS, state, privateKey) };
  const verify = (business: string | null, checkpoint: typeof signed, key = publicKey) =>
    isSignedBy(parsePublicKey(key), business, checkpoint);

  it('is verified with the public key alone', () => {
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(verify(BUSINESS, signed)).toBe(true);
  });

  it('covers the business, the count, the position and the head, and names one key', () => {
    const other = describeSigningKey(generateKeyPairSync('ed25519').privateKey).public_key;
    expect([
      verify('biz_2', signed),
      verify(null, signed),
      verify(BUSINESS, { ...signed, count: 4 }),
      verify(BUSINESS, { ...signed, position: '0000000000000022' }),
      verify(BUSINESS, { ...signed, head: EMPTY_HASH_CHAIN.head }),
      verify(BUSINESS, { ...signed, signature: 'AAAA' }),
      verify(BUSINESS, signed, other),
    ]).toEqual(Array(7).fill(false));
  });
});
