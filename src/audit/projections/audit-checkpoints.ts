import type { Projection } from '../../kernel/projection.js';
import { dateTime, type DocumentOf, enumOf, example, integer, object, resource, string } from '../../kernel/schema.js';
import { type AuditChainEvent, hashChainIdOf } from '../domain/audit-chain.js';

/** The head of a chain that the service has signed, as manifests hold it too. */
export const signedCheckpointFields = {
  count: integer,
  position: string,
  head: string,
  signed_at: dateTime,
  key_id: string,
  signature: string,
};

export const auditCheckpointSchema = resource('AuditCheckpoint', {
  object: enumOf('audit_checkpoint'),
  ...signedCheckpointFields,
  public_key: example('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
});

export const chainHeadField = object({ count: integer, head: string });

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
