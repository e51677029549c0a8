import { describe, type Schema, uri } from '../../kernel/schema.js';
import type { Attachment } from '../domain/post.js';

const url = describe(uri, 'The address of the file or the page.');

export const attachmentSchema: Schema<Attachment> = {
  schema: { type: 'object', required: ['url'], properties: { url: url.schema }, additionalProperties: true },
};
