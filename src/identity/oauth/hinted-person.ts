/** Whom an application expects, as an identity token of ours said it. */
export interface HintedPerson {
  readonly sub: string;
  readonly email: string | null;
}

/** Whom a request names by id_token_hint. The provider has checked by then that the token is one of ours. */
export function hintedPerson({ id_token_hint: hint }: Readonly<Record<string, unknown>>): HintedPerson | null {
  if (typeof hint !== 'string') return null;
  const [, claims = ''] = hint.split('.');
  const { sub, email } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return { sub: String(sub), email: typeof email === 'string' ? email : null };
}
