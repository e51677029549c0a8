/** An attachment of a post. Request validation checks `url`; unknown keys are stored unchanged. */
export interface Attachment {
  readonly url: string;
  readonly [key: string]: unknown;
}
