/** Judges the events that payment gateways send, by their headers alone. */
export abstract class GatewayEvents {
  /**
   * Checks that a request may be an event.
   * @throws Rejection `not_found` where no events are expected, `invalid_signature` for what no gateway can have signed
   */
  abstract assertForm(headers: Readonly<Record<string, string | string[] | undefined>>): void;
}
