import { type Schema, uri } from '../../kernel/schema.js';
import type { Attachment } from '../domain/post.js';

export const attachmentSchema: Schema<Attachment> = {
  schema: { type: 'object', required: ['url'], properties: { url: uri.schema }, additionalProperties: true },
};
