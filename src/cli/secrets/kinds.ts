import { SIGNING_KEY_NAMES, type SigningKeyName } from '../../platform/index.ts';

/** The key that signs tokens of OAuth, in its own table. */
export const OAUTH_KIND = 'oauth-signing';
/** The secrets of chosen webhooks. */
export const WEBHOOK_KIND = 'webhook';

/** @example kindOf('screener unsubscribe') // 'screener-unsubscribe' */
export function kindOf(name: SigningKeyName): string {
  return name.replaceAll(/[ _]/g, '-');
}

export function signingKeyOf(kind: string): SigningKeyName | null {
  return SIGNING_KEY_NAMES.find((name) => kindOf(name) === kind) ?? null;
}

/** The kinds of secrets that the service owns and can replace. */
export const ROTATABLE_KINDS = [OAUTH_KIND, ...SIGNING_KEY_NAMES.map(kindOf), WEBHOOK_KIND] as const;
