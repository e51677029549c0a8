import { diff, isEqualJson } from '../../kernel/diff.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';

export interface EndpointSettings {
  readonly url: string;
  /** The ids of public event types, or only `*`. */
  readonly eventTypes: readonly string[];
  readonly description: string | null;
  readonly rateLimitPerSecond: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The addresses that get a mail after a warning and after a disabling by the service, as the owner of the business does. */
  readonly notificationEmails: readonly EncryptedField[];
}

/** Returns the settings that differ. */
export function diffSettings(asked: Partial<EndpointSettings>, now: EndpointSettings): Partial<EndpointSettings> {
  return diff(asked, now, isEqualSetting);
}

/** The same address is encrypted to another text each time, so addresses are compared by their hashes. */
function isEqualSetting(asked: unknown, now: unknown, field: keyof EndpointSettings): boolean {
  if (field !== 'notificationEmails') return isEqualJson(asked, now);
  const [hashes, known] = [asked, now].map((list) => (list as readonly EncryptedField[]).map(({ hash }) => hash));
  return isEqualJson(hashes, known);
}
