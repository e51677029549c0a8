import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { requireBusiness } from '../../kernel/caller.js';
import { START } from '../../kernel/position.js';
import { toReference } from '../../kernel/reference.js';
import { describe, type DocumentOf, enumOf, KIND, list, nested, object, ref, resource } from '../../kernel/schema.js';
import { EMPTY_HASH_CHAIN } from '../chain/hash-chain.js';
import { SigningKey } from '../chain/signing-key.js';
import { auditChains } from '../projections/audit-chains.js';
import {
  auditCheckpoints,
  auditCheckpointSchema,
  chainFields,
  publicKey,
  signingKeyId,
} from '../projections/audit-checkpoints.js';

const MAX_CHECKPOINTS = 100;

export const auditChainSchema = resource('AuditChain', {
  object: describe(enumOf('audit_chain'), KIND),
  business: describe(ref('business', 'biz'), 'The business that this object belongs to.'),
  ...chainFields,
  signing_key: describe(
    object({
      key_id: signingKeyId,
      algorithm: describe(enumOf('Ed25519'), 'The signature scheme of the key.'),
      public_key: publicKey,
    }),
    'The key with which the service signs checkpoints.',
  ),
  checkpoints: describe(
    list(nested(auditCheckpointSchema)),
    'The newest signed heads of the chain, at most 100, newest first.',
  ),
});

export type AuditChainView = DocumentOf<typeof auditChainSchema>;

/** Returns the chain of the caller's business with its newest checkpoints. */
export class RetrieveAuditChain extends ContextQuery<object, AuditChainView> {}

@QueryHandler(RetrieveAuditChain)
export class RetrieveAuditChainHandler implements IQueryHandler<RetrieveAuditChain> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly key: SigningKey,
  ) {}

  async execute({ context }: RetrieveAuditChain): Promise<AuditChainView> {
    const business = requireBusiness(context);
    const { consistency } = context;
    const where = { _chain: business };
    const found = await this.reader.find(auditCheckpoints, where, MAX_CHECKPOINTS, consistency, 'count');
    const chain = await this.reader.get(auditChains, business, consistency);
    const { count, head, position } = chain ?? { ...EMPTY_HASH_CHAIN, position: START };
    return {
      object: 'audit_chain',
      business: toReference('business', business),
      ...{ count, position, head },
      signing_key: await this.key.describe(),
      checkpoints: found.map(({ id: _, _chain, ...checkpoint }) => checkpoint),
    };
  }
}
