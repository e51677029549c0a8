import type { Projection } from '../../kernel/projection.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  KIND,
  object,
  resource,
  string,
} from '../../kernel/schema.js';
import { type AuditChainEvent, hashChainIdOf } from '../domain/audit-chain.js';

export const chainFields = {
  count: describe(integer, 'The number of events in the hash chain up to this head.', 1769),
  position: describe(
    string,
    'The position in the log of the last of these events; empty without events.',
    '0000000000001769',
  ),
  head: describe(
    string,
    'The head of the hash chain: the SHA-256 of the head before it and of the last event, in hexadecimal digits.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
};

export const signingKeyId = describe(
  string,
  'The id of the signing key: the first 16 hexadecimal digits of the SHA-256 of the public key.',
  '21fe31dfa154a261',
);

/** The head of a chain that the service has signed, as manifests hold it too. */
export const signedCheckpointFields = {
  ...chainFields,
  signed_at: describe(dateTime, 'The time at which the service signed the head.'),
  key_id: signingKeyId,
  signature: describe(
    string,
    'The Ed25519 signature of `business`, `count`, `position` and `head` as canonical JSON, in base64url.',
    '5aDx0mGbH8vQw1N3tq2lZ6cR7yU4eKfJ9sPiVoXhTgLnMkBjAzSdWxEcRfVtGbYhNuJmIkOlPqAwSeDrFtGyHg',
  ),
};

export const publicKey = describe(
  string,
  'The public key that verifies the signatures: 32 bytes in base64url.',
  '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
);

export const auditCheckpointSchema = resource('AuditCheckpoint', {
  object: describe(enumOf('audit_checkpoint'), KIND),
  ...signedCheckpointFields,
  public_key: publicKey,
});

export const chainHeadField = object({ count: chainFields.count, head: chainFields.head });

export interface AuditCheckpointDocument extends DocumentOf<typeof auditCheckpointSchema> {
  readonly id: string;
  readonly _chain: string;
}

export const auditCheckpoints: Projection<AuditCheckpointDocument, AuditChainEvent> = {
  name: 'auditCheckpoints',
  version: 1,
  id: ({ data }) => `${hashChainIdOf(data.business)}:${data.count}`,
  indexes: [['_chain', 'count']],
  on: {
    ChainCheckpointSigned: (_, { data }, id) => ({
      id,
      object: 'audit_checkpoint',
      count: data.count,
      position: data.position,
      head: data.head,
      signed_at: data.at,
      key_id: data.keyId,
      signature: data.signature,
      public_key: data.publicKey,
      _chain: hashChainIdOf(data.business),
    }),
  },
};
