import { HttpException } from '@nestjs/common';
import { StoreUnavailable, StreamDeleted } from '../../kernel/event-store.js';
import { Rejection } from '../../kernel/rejection.js';
import { PROBLEM_CODES, type ProblemCode, statusFor } from './problem-codes.js';

const DEFAULT_DETAILS: Partial<Record<ProblemCode, string>> = {
  bad_request: 'The request could not be read.',
  not_found: 'There is no such resource.',
  payload_too_large: 'A body may have at most 1 MiB.',
  unsupported_media_type: 'The body must be application/json in UTF-8, without a content encoding.',
  service_unavailable: 'The service is unavailable. Try again.',
  internal_error: 'The request could not be completed.',
};

/** Converts a thrown value to a rejection. Any other error becomes `internal_error` without details. */
export function toRejection(error: unknown): Rejection {
  if (error instanceof Rejection) return error;
  if (error instanceof StoreUnavailable) return createRejection('service_unavailable');
  if (error instanceof StreamDeleted) return Rejection.notFound();
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : (error as { readonly statusCode?: unknown } | null)?.statusCode;
  return createRejection(codeForStatus(status));
}

export function createRejection(code: ProblemCode): Rejection {
  return new Rejection(code, DEFAULT_DETAILS[code] ?? `${PROBLEM_CODES[code][1]}.`);
}

/** Whether the request may have had an effect in spite of the error. */
export function isUnknownOutcome(error: unknown): boolean {
  return !(error instanceof Rejection) && statusFor(toRejection(error).code) >= 500;
}

function codeForStatus(status: unknown): ProblemCode {
  switch (status) {
    case 400:
      return 'bad_request';
    case 404:
      return 'not_found';
    case 413:
      return 'payload_too_large';
    case 414:
      return 'uri_too_long';
    case 415:
      return 'unsupported_media_type';
    case 503:
      return 'service_unavailable';
    default:
      return 'internal_error';
  }
}
