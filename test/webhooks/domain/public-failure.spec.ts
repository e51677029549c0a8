import { toLostFailure, toPublicFailure } from '../../../src/webhooks/domain/public-failure.js';

const UNANSWERED = { responseStatus: null, errorCode: null };

describe('The public reason of a failed attempt', () => {
  it.each([
    ['client_error', 'client_error'],
    ['server_error', 'server_error'],
    ['redirect', 'redirect'],
    ['unexpected_status', 'invalid_response'],
    ['timeout', 'timeout'],
    ['connection_timeout', 'timeout'],
    ['dns_failure', 'dns_failure'],
    ['connection_refused', 'connection_refused'],
    ['connection_reset', 'connection_reset'],
    ['tls_failure', 'tls_failure'],
    ['blocked_address', 'blocked_address'],
    ['response_too_large', 'response_too_large'],
    ['invalid_answer', 'invalid_response'],
    ['network_failure', 'invalid_response'],
    ['envelope_too_large', 'lost'],
    ['endpoint_deleted', 'lost'],
    ['service_failure', 'lost'],
  ] as const)('maps the stored reason %s to %s', (recorded, reason) =>
    expect(toPublicFailure(recorded, UNANSWERED)).toMatchObject({ reason }),
  );

  it('is lost when the outcome was not recorded', () => expect(toLostFailure()).toMatchObject({ reason: 'lost' }));
});

describe('The public detail of a failed attempt', () => {
  it('names the status of the response', () =>
    expect(toPublicFailure('server_error', { responseStatus: 503, errorCode: null }).detail).toBe(
      'The receiver answered with status 503.',
    ));

  it('says that redirects are not followed', () =>
    expect(toPublicFailure('redirect', { responseStatus: 302, errorCode: null }).detail).toBe(
      'The receiver answered with status 302. Redirects are not followed.',
    ));

  it('names the error code of the network', () =>
    expect(toPublicFailure('tls_failure', { responseStatus: null, errorCode: 'CERT_HAS_EXPIRED' }).detail).toBe(
      'The TLS connection could not be established (CERT_HAS_EXPIRED).',
    ));

  it('is a sentence without an error code', () =>
    expect(toPublicFailure('timeout', UNANSWERED).detail).toBe('The receiver did not answer in time.'));
});
