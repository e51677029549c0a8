import { SetMetadata } from '@nestjs/common';

export const IDEMPOTENCY_KEY = 'edge:idempotency-key';

/** The route refuses a request without a key. Every other POST outside the community honours one that is sent. */
export const IdempotencyKey = (need: 'required') => SetMetadata(IDEMPOTENCY_KEY, need);
