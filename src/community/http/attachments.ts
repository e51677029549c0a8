import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateBy, validateSync } from 'class-validator';
import { schemaForClass } from '../../http/openapi/class-schema.js';
import { Describe } from '../../http/openapi/describe.js';
import { toFieldErrors } from '../../http/validation/field-errors.js';
import { hasForbiddenKey, NO_FORBIDDEN_KEY } from '../../http/validation/forbidden-key.js';
import { isJsonObject } from '../../http/validation/json-body.js';
import { IsHttpsUrl, WithoutHidden } from '../../http/validation/validators.js';
import type { FieldError } from '../../kernel/rejection.js';
import { countJsonBytes } from './max-json-bytes.js';

const MAX_ATTACHMENTS = 10;
const MAX_ATTACHMENT_BYTES = 8 * 1024;
const TYPES = ['image', 'video', 'audio', 'file', 'link'];

/** The known keys of an attachment. Other keys are the caller's own. */
class AttachmentFields {
  @Describe('The address of the file or the page, with https.', 'https://example.com/photo.png')
  @IsHttpsUrl()
  url: unknown;

  @Describe('The kind of the attachment.')
  @IsOptional()
  @IsIn(TYPES)
  type: unknown;

  @Describe('The name that members see.', 'photo.png')
  @IsOptional()
  @IsString()
  @MaxLength(255)
  name: unknown;

  @Describe('The media type of the file.', 'image/png')
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @WithoutHidden()
  mime_type: unknown;

  @Describe('The size of the file, in bytes.', 102_400)
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  size_bytes: unknown;

  constructor({ url, type, name, mime_type, size_bytes }: Record<string, unknown> = {}) {
    Object.assign(this, { url, type, name, mime_type, size_bytes });
  }
}

const SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_ATTACHMENTS,
  items: { ...schemaForClass(AttachmentFields), additionalProperties: true },
};

/** One to ten attachments. */
export function IsAttachments(): PropertyDecorator {
  const validate = (value: unknown) => validateAttachments(value, '').length === 0;
  const defaultMessage = () => '$property must be a list of attachments';
  return ValidateBy(
    { name: 'isAttachments', validator: { validate, defaultMessage } },
    { context: { faults: validateAttachments, schema: SCHEMA } },
  );
}

function validateAttachments(value: unknown, path: string): FieldError[] {
  if (!Array.isArray(value)) return [{ code: 'invalid_type', detail: `${path} must be a list.`, param: path }];
  if (value.length === 0)
    return [{ code: 'too_short', detail: `${path} must have at least one attachment.`, param: path }];
  if (value.length > MAX_ATTACHMENTS)
    return [{ code: 'too_long', detail: `${path} must have at most ${MAX_ATTACHMENTS} attachments.`, param: path }];
  return value.flatMap((attachment, i) => validateAttachment(attachment, `${path}[${i}]`));
}

function validateAttachment(attachment: unknown, path: string): FieldError[] {
  if (!isJsonObject(attachment)) return [{ code: 'invalid_type', detail: `${path} must be an object.`, param: path }];
  if (countJsonBytes(attachment) > MAX_ATTACHMENT_BYTES)
    return [
      { code: 'too_large', detail: `${path} must have at most ${MAX_ATTACHMENT_BYTES} bytes of JSON.`, param: path },
    ];
  if (hasForbiddenKey(attachment)) return [{ code: 'invalid', detail: `${path} ${NO_FORBIDDEN_KEY}.`, param: path }];
  return toFieldErrors(validateSync(new AttachmentFields(attachment)), path);
}
