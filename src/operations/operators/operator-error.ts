/** An operator's command is not possible; the message says why. */
export class OperatorError extends Error {
  constructor(
    readonly code: 'not_found' | 'operation_refused',
    message: string,
  ) {
    super(message);
    this.name = 'OperatorError';
  }
}
