/**
 * Returns whether the URL has a user name or a password. All who see such a URL get the password, and the name may look
 * like the host: `https://shop.example@evil.example`.
 */
export function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
