import type { SigningKeys } from '../../../src/platform/index.ts';

/** Returns keys of which one signs and all are accepted, the newest first. */
export function signingKeysOf(...secrets: readonly [Buffer, ...Buffer[]]): SigningKeys {
  const [newest, ...earlier] = secrets;
  const signing = { number: secrets.length, secret: newest };
  return {
    signing,
    accepted: [signing, ...earlier.map((secret, index) => ({ number: earlier.length - index, secret }))],
  };
}

/** The keys of a test that has no database. */
export const FIXED_KEYS = async (): Promise<SigningKeys> => signingKeysOf(Buffer.alloc(32, 7));
