import { toSendFailure } from '../../../src/webhooks/delivery/network-failure.js';

const createError = (code: string) => Object.assign(new Error('refused'), { code });

describe('The mapping of a send error', () => {
  it.each([
    ['INVALID_PURPOSE', 'tls_failure'],
    ['PATH_LENGTH_EXCEEDED', 'tls_failure'],
    ['UNSPECIFIED', 'network_failure'],
    ['ERR_INVALID_URL', 'network_failure'],
    ['ERR_ASSERTION', 'network_failure'],
    ['E_NOBODY_KNOWS', 'network_failure'],
  ])('maps %s to the failure %s', (code, failure) => expect(toSendFailure(createError(code))).toBe(failure));

  it('maps an error without a code to a network failure', () =>
    expect(toSendFailure(new Error('bad answer'))).toBe('network_failure'));

  it('uses the error of the first of several addresses', () =>
    expect(toSendFailure(new AggregateError([createError('ECONNREFUSED'), createError('ENETUNREACH')]))).toBe(
      'connection_refused',
    ));
});
