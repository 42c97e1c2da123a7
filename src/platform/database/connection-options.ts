import { passwordOf, withoutPassword } from '../config/url-passwords.ts';

/** Returns a URL of PostgreSQL with the password that new connections use now. */
export type CurrentUrl = (url: string) => string;

/** Returns the options of pg for an address. */
export function connectionOptions(url: string, currentUrl: CurrentUrl | undefined) {
  if (currentUrl === undefined) return { connectionString: url };
  return {
    // A password in the address would take precedence over the function.
    connectionString: withoutPassword(url),
    password: async () => passwordOf(currentUrl(url)) as string,
  };
}
