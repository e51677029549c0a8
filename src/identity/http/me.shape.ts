import { id, maybe, object, one, personal, refer, resource, text } from '../../http/openapi/shape.js';

export const caller = resource('Caller', {
  object: one('caller'),
  actor: object({ type: text, id: text }),
  user: maybe(object({ id: id('usr'), email: personal })),
  business: maybe(refer('business', 'biz')),
  mode: one('live', 'test'),
  access: one('full', 'read_only'),
});
