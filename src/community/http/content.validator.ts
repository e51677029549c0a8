import { ValidateBy, type ValidationArguments } from 'class-validator';

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

export function isEmptyContent({ content, attachments, video_url }: ContentBody): boolean {
  return [content, attachments, video_url].every(
    (part) => !isGiven(part) || (part as { readonly length: unknown }).length === 0,
  );
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
