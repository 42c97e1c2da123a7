/** The query parameter in which a URL of PostgreSQL can have its password. */
const PARAMETER = 'password';

/** Returns a URL of a database without its password. A text that is not a URL is returned as it is. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.password = '';
  url.searchParams.delete(PARAMETER);
  return url.href;
}

/** Returns the password in a URL of a database; undefined if it has none. */
export function passwordOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { password, searchParams } = new URL(text);
  return password === '' ? (searchParams.get(PARAMETER) ?? undefined) : decodeURIComponent(password);
}
