import { Client, type ClientConfig } from 'pg';
import { passwordOf } from '../config/url-passwords.ts';

/** Returns a URL of PostgreSQL with the password that new connections use now. */
export type CurrentUrl = (url: string) => string;

/** Returns the options of pg for an address. */
export function connectionOptions(url: string, currentUrl: CurrentUrl | undefined): ClientConfig {
  if (currentUrl === undefined || passwordOf(url) === undefined) return { connectionString: url };
  // pg prefers the password in an address, even an empty one, to the function. What it reads from the address is taken
  // from a client that is never connected; the password is not among its enumerable parameters.
  const { connectionParameters } = new Client({ connectionString: url }) as unknown as {
    readonly connectionParameters: ClientConfig;
  };
  return { ...connectionParameters, password: () => passwordOf(currentUrl(url)) ?? '' };
}
