import { hashSecret } from '../secrets.ts';
import { OAUTH_MOUNT } from './oauth.ts';
import type { OAuthRecordTable } from './tables.ts';

export type Payload = Record<string, unknown>;

/** Whoever knows the id of any of these can use it, save that of a grant. */
export function storedId(model: string, id: string): string {
  return model === 'Grant' ? id : hashSecret(id);
}

/** The payload without what a reader of the database could use: the id itself, wherever the provider repeats it. */
export function withoutSecrets(model: string, { jti: _, exp: __, consumed: ___, ...payload }: Payload): Payload {
  if (model !== 'Interaction') return payload;
  const { returnTo: ____, ...rest } = payload;
  if (isObject(rest.session)) {
    const { cookie: _____, ...shown } = rest.session;
    rest.session = shown;
  }
  if (isObject(rest.params)) rest.params = withoutSignature(rest.params);
  if (isObject(rest.prompt) && isObject(rest.prompt.details)) {
    rest.prompt = { ...rest.prompt, details: withoutSignature(rest.prompt.details) };
  }
  return rest;
}

/** An identity token that came as a hint was checked when it came; from then on it matters only whom it names. */
function withoutSignature({ id_token_hint: hint, ...rest }: Payload): Payload {
  return typeof hint === 'string' ? { ...rest, id_token_hint: hint.slice(0, hint.lastIndexOf('.') + 1) } : rest;
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null;
}

/** The payload as the provider gave it to us. What can change without it (the expiry, the use) comes from the columns. */
export function restoredPayload(
  id: string | undefined,
  row: Pick<OAuthRecordTable, 'model' | 'payload' | 'expires_at' | 'consumed_at'>,
): Payload {
  return {
    ...row.payload,
    ...(id !== undefined && { jti: id }),
    ...(id !== undefined && row.model === 'Interaction' && { returnTo: resumeAddress(id) }),
    ...(row.consumed_at && { consumed: seconds(row.consumed_at) }),
    exp: seconds(row.expires_at),
  };
}

/** Where the browser goes on after a question was answered. */
export function resumeAddress(uid: string): string {
  return `${OAUTH_MOUNT}/oauth/authorize/${uid}`;
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
