import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { requireBusiness } from '../../kernel/caller.js';
import { START } from '../../kernel/position.js';
import { toReference } from '../../kernel/reference.js';
import { type DocumentOf, enumOf, integer, list, nested, object, ref, resource, string } from '../../kernel/schema.js';
import { EMPTY_HASH_CHAIN } from '../chain/hash-chain.js';
import { SigningKey } from '../chain/signing-key.js';
import { auditChains } from '../projections/audit-chains.js';
import { auditCheckpoints, auditCheckpointSchema } from '../projections/audit-checkpoints.js';

const MAX_CHECKPOINTS = 100;

export const auditChainSchema = resource('AuditChain', {
  object: enumOf('audit_chain'),
  business: ref('business', 'biz'),
  count: integer,
  position: string,
  head: string,
  signing_key: object({ key_id: string, algorithm: enumOf('Ed25519'), public_key: string }),
  checkpoints: list(nested(auditCheckpointSchema)),
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
