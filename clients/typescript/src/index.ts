export { ApiPromise, type ApiResponse } from './api-promise.ts';
export { Client, createClient, type PathOptions } from './client.ts';
export type { ConnectionFault } from './connection-faults.ts';
export { EventStream } from './event-stream.ts';
export type { WebhookEvent } from './generated/events.gen.ts';
export type * from './generated/resources.gen.ts';
export type * as types from './generated/types.gen.ts';
export type { CursorList, List, PageList } from './lists.ts';
export type { AppInfo, ClientOptions, EndedAttempt, RequestOptions, SentAttempt } from './options.ts';
export {
  ApiError,
  ConnectionError,
  isProblem,
  type Problem,
  type ProblemCode,
  ProblemError,
  type ProblemItem,
  UnexpectedResponseError,
} from './problems.ts';
export { createTestWebhook, type TestEvent, type TestWebhook, type TestWebhookOptions } from './test-webhook.ts';
export {
  type VerificationFault,
  verifyWebhook,
  type VerifyOptions,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
