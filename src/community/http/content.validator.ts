import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isBlank } from '../../kernel/text.js';

/** A body with content, attachments or a video. */
interface ContentBody {
  readonly content?: unknown;
  readonly attachments?: unknown;
  readonly video_url?: unknown;
}

/** Requires content of some kind in the body; the error names the property. */
export function HasContent(message: string): PropertyDecorator {
  const validate = (_: unknown, details?: ValidationArguments) => !isEmptyContent(details!.object);
  return ValidateBy(
    { name: 'hasContent', validator: { validate, defaultMessage: () => message } },
    { context: { code: 'content_required', schema: {} } },
  );
}

/** A text of which a reader sees nothing is no content. */
export function isEmptyContent({ content, attachments, video_url }: ContentBody): boolean {
  const hasText = typeof content === 'string' ? !isBlank(content) : isGiven(content);
  return !hasText && [attachments, video_url].every((part) => !isGiven(part) || isEmpty(part));
}

function isEmpty(part: unknown): boolean {
  return (part as { readonly length: unknown }).length === 0;
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
