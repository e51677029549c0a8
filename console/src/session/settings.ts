/** The settings of the service for the console, from /console/settings.json. */
export interface Settings {
  /** The port that serves this page: that of the API, or that of the operators. */
  readonly surface: 'api' | 'operators';
  /** The identity provider for signing in, when the service names a client for the console. */
  readonly oidc: { readonly issuer: string; readonly client_id: string } | null;
  /** Whether a link may sign in. */
  readonly links: boolean;
}

let settings: Settings = { surface: 'api', oidc: null, links: false };

export async function loadSettings(): Promise<void> {
  const response = await fetch(`${import.meta.env.BASE_URL}settings.json`);
  if (response.ok) settings = (await response.json()) as Settings;
}

export function getSettings(): Settings {
  return settings;
}
