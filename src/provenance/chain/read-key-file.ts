import { readFileSync } from 'node:fs';
import { ConfigError } from '../../platform/index.ts';

/** The order of secp256k1. A private key is smaller. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Reads the private key of the address that stamps. Throws a `ConfigError` that names the setting and contains nothing of
 * the file.
 *
 * @param setting the name of the setting or option that names the file
 * @returns `0x` and 64 hexadecimal digits
 */
export function readKeyFile(file: string, setting = 'ALMANAC_CHAIN_KEY_FILE'): `0x${string}` {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(`${setting}: the file cannot be read (${code}).`);
  }
  if (!/^0x[0-9a-f]{64}$/i.test(text)) {
    throw new ConfigError(`${setting}: the file must contain 0x and 64 hexadecimal digits, and nothing else.`);
  }
  const key = BigInt(text);
  if (key === 0n || key >= CURVE_ORDER) {
    throw new ConfigError(`${setting}: the number in the file is not a private key. Create another one.`);
  }
  return text.toLowerCase() as `0x${string}`;
}
