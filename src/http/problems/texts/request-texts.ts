import type { ProblemText } from './problem-text.js';

/** Texts of the codes that any request can get: its form, its size, its idempotency key, and the state of the service. */
export const REQUEST_TEXTS = {
  bad_request: {
    meaning:
      'The HTTP parser cannot read the request: for example, the request line is malformed or the `Host` header is missing.',
    action: 'Use an HTTP client library, and send one `Host` header.',
    repeat: 'corrected',
  },
  invalid_json: {
    meaning:
      'The body is not JSON in UTF-8, is nested deeper than 32 levels, or contains U+0000 or half of a surrogate pair. `detail` names the reason.',
    action: 'Serialize the body with a JSON library, and send it as UTF-8.',
    repeat: 'corrected',
  },
  invalid_parameter: {
    meaning:
      'A query parameter or a header is unknown, is sent twice, or has a value that is not allowed. `errors` names it. Unknown parameters are rejected so that a misspelled filter does not return everything.',
    action: 'Correct the parameter. For `after`, send the `next_cursor` of the same list unchanged.',
    repeat: 'corrected',
  },
  invalid_signature: {
    meaning:
      'The signature of a request from the payment gateway is missing, wrong, or older than 5 minutes. Only payment gateways call this operation.',
    action: 'Compare the signing secret of the gateway with that of the service, and both clocks.',
    repeat: 'afterChange',
  },
  invalid_idempotency_key: {
    meaning:
      'The `Idempotency-Key` header is empty, is sent twice, is longer than 255 characters, contains a NUL byte, or is not UTF-8.',
    action: 'Send one key of 1 to 255 characters, for example a UUID.',
    repeat: 'corrected',
  },
  idempotency_key_required: {
    meaning: 'The operation requires an `Idempotency-Key` header, and the request has none.',
    action: 'Create a key for this request, for example a UUID. Store it before you send the request.',
    repeat: 'corrected',
  },
  idempotency_key_conflict: {
    meaning:
      'Another request used this key within the last 24 hours: another method, path, caller or body. A change of one byte in the body makes another request.',
    action: 'Use a new key for each new request. When you repeat a request, send the same bytes.',
    repeat: 'newKey',
  },
  idempotency_key_in_progress: {
    meaning: 'The first request with this key is still running.',
    action: 'Wait, then repeat the request. The response is that of the first request.',
    repeat: 'later',
  },
  not_found: {
    meaning:
      'The path is unknown, or the resource does not exist, or it belongs to another business or to the other mode. These cases have the same answer, so that nobody can find out which ids exist.',
    action: 'Compare the id, the path, and the business and mode of the credential.',
    repeat: 'never',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    action: 'Use one of the methods in the `Allow` header.',
    repeat: 'corrected',
  },
  request_timeout: {
    meaning: 'The request did not arrive completely within 30 seconds. The service did not run it.',
    action: 'Send the whole request without a pause, and examine the network between you and the service.',
    repeat: 'soon',
  },
  concurrent_update: {
    meaning: 'Other requests changed the same resource at the same time. This request changed nothing.',
    action: 'Repeat the request. If your change depends on values that you read, read them again first.',
    repeat: 'later',
  },
  payload_too_large: {
    meaning: 'The body is larger than 1 MiB, or it contains more than 20,000 JSON values.',
    action: 'Divide the request, for example a large import into several ones.',
    repeat: 'corrected',
  },
  uri_too_long: {
    meaning: 'The path and the query together are longer than 8 KiB.',
    action: 'Send fewer or shorter query parameters.',
    repeat: 'corrected',
  },
  unsupported_media_type: {
    meaning: 'The body has no media type, another one than `application/json`, or a content encoding.',
    action: 'Send `Content-Type: application/json`, and do not compress the body.',
    repeat: 'corrected',
  },
  expectation_failed: {
    meaning: 'The request has an `Expect` header with a value other than `100-continue`.',
    action: 'Omit the `Expect` header.',
    repeat: 'corrected',
  },
  headers_too_large: {
    meaning: 'The headers together are larger than 16 KiB.',
    action: 'Send fewer or shorter headers. Proxies often add some: examine the request that the service receives.',
    repeat: 'corrected',
  },
  validation_failed: {
    meaning:
      'Fields of the body break their rules, or name things that do not exist. `errors` has one item per field, with its path and its own code.',
    action: 'Correct every field that `errors` names. At most 100 are listed; `detail` has the number of the others.',
    repeat: 'corrected',
  },
  unknown_parameter: {
    meaning: 'The body has fields that the operation does not know. Nothing was changed.',
    action: 'Remove or rename the fields that `errors` names. Free-form data belongs in `metadata`.',
    repeat: 'corrected',
  },
  rate_limited: {
    meaning:
      'There were too many requests of this credential or address, or a limit of this operation is reached: cards that were declined, offers or invites that were sent. `detail` names the limit.',
    action: 'Wait, and slow down as `RateLimit-Remaining` approaches zero.',
    repeat: 'later',
  },
  operation_refused: {
    meaning: 'An operation on the port of the operators is not possible now. `detail` names the obstacle.',
    action: 'Remove the obstacle.',
    repeat: 'afterChange',
  },
  internal_error: {
    meaning: 'The service has a fault. The request may have taken effect.',
    action: 'Repeat the request. If the problem remains, report its `request_id` to the operator of the service.',
    repeat: 'sameKey',
  },
  service_unavailable: {
    meaning:
      'The service is overloaded, is shutting down, or does not reach its store. The request may have taken effect.',
    action: 'Repeat the request, and double the wait after each further failure.',
    repeat: 'later',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
