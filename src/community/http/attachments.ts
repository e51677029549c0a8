import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min, ValidateBy, validateSync } from 'class-validator';
import { isJsonObject } from '../../http/bodies.js';
import { faultsOf } from '../../http/faults.js';
import type { Fault } from '../../kernel/rejection.js';
import { IsHttpsUrl } from '../../http/fields.js';
import { bytesOf } from './rules.js';

const MAX_ATTACHMENTS = 10;
const MAX_ATTACHMENT_BYTES = 8 * 1024;
const TYPES = ['image', 'video', 'audio', 'file', 'link'];

/** The known keys of an attachment. Other keys are the caller's own. */
class KnownKeys {
  @IsHttpsUrl()
  url: unknown;

  @IsOptional()
  @IsIn(TYPES)
  type: unknown;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  name: unknown;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  mime_type: unknown;

  @IsOptional()
  @IsInt()
  @Min(0)
  size_bytes: unknown;

  constructor({ url, type, name, mime_type, size_bytes }: Record<string, unknown>) {
    Object.assign(this, { url, type, name, mime_type, size_bytes });
  }
}

const SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_ATTACHMENTS,
  items: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', format: 'uri' },
      type: { type: ['string', 'null'], enum: [...TYPES, null] },
      name: { type: ['string', 'null'], maxLength: 255 },
      mime_type: { type: ['string', 'null'], maxLength: 255 },
      size_bytes: { type: ['integer', 'null'], minimum: 0 },
    },
    additionalProperties: true,
  },
};

/** One to ten attachments. */
export function IsAttachments(): PropertyDecorator {
  const validate = (value: unknown) => faultsOfAttachments(value, '').length === 0;
  const defaultMessage = () => '$property must be a list of attachments';
  return ValidateBy(
    { name: 'isAttachments', validator: { validate, defaultMessage } },
    { context: { faults: faultsOfAttachments, schema: SCHEMA } },
  );
}

function faultsOfAttachments(value: unknown, path: string): Fault[] {
  if (!Array.isArray(value)) return [{ code: 'invalid_type', detail: `${path} must be a list.`, param: path }];
  if (value.length === 0) return [{ code: 'too_short', detail: `${path} must have at least one attachment.`, param: path }];
  if (value.length > MAX_ATTACHMENTS)
    return [{ code: 'too_long', detail: `${path} must have at most ${MAX_ATTACHMENTS} attachments.`, param: path }];
  return value.flatMap((attachment, i) => faultsOfOne(attachment, `${path}[${i}]`));
}

function faultsOfOne(attachment: unknown, path: string): Fault[] {
  if (!isJsonObject(attachment)) return [{ code: 'invalid_type', detail: `${path} must be an object.`, param: path }];
  if (bytesOf(attachment) > MAX_ATTACHMENT_BYTES)
    return [{ code: 'too_large', detail: `${path} must have at most ${MAX_ATTACHMENT_BYTES} bytes of JSON.`, param: path }];
  return faultsOf(validateSync(new KnownKeys(attachment)), path);
}
