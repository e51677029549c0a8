/** What goes with a post. Its `url` is checked at the edge; keys beside the known ones are the caller's own, and are kept as they came. */
export interface Attachment {
  readonly url: string;
  readonly [key: string]: unknown;
}
