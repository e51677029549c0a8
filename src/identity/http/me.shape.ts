import { id, nullable, object, one, personal, refer, resource, text } from '../../kernel/schema.js';

export const caller = resource('Caller', {
  object: one('caller'),
  actor: object({ type: text, id: text }),
  user: nullable(object({ id: id('usr'), email: personal })),
  business: nullable(refer('business', 'biz')),
  mode: one('live', 'test'),
  access: one('full', 'read_only'),
});
