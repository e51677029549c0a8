import { enumOf, id, nullable, object, personalString, ref, resource, string } from '../../kernel/schema.js';

export const callerSchema = resource('Caller', {
  object: enumOf('caller'),
  actor: object({ type: string, id: string }),
  user: nullable(object({ id: id('usr'), email: personalString })),
  business: nullable(ref('business', 'biz')),
  mode: enumOf('live', 'test'),
  access: enumOf('full', 'read_only'),
});
