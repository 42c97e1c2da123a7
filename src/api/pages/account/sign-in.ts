import { z } from 'zod';
import { signIn } from '../../../identity/index.ts';
import { limitGuesses } from '../../limits/limit-per-network.ts';
import { checkForm, emailField, passwordField, typed } from './http/check-form.ts';
import { takeNotice } from './http/notices.ts';
import { readReturnTo } from './http/return-to.ts';
import { goOn, startSession } from './http/start-session.ts';
import { type PageRoute, SeeOther, type Visit } from './http/visit.ts';
import type { FieldErrors } from './markup/form.ts';
import { signInView } from './sign-in-view.ts';

const PATH = '/auth/sign-in';

export const SignInForm = z.object({ email: emailField(), password: passwordField('Enter your password.') });

export const signInPage: PageRoute = {
  path: PATH,

  async get(visit) {
    const returnTo = readReturnTo(visit.query.return_to);
    if (visit.account) return new SeeOther(returnTo ?? '/auth/account');
    return signInView({ action: PATH, returnTo, notice: takeNotice(visit) });
  },

  async post(visit) {
    const returnTo = readReturnTo(typed(visit.form, 'return_to'));
    const tried = await trySignIn(visit);
    if (tried.ok) return goOn(returnTo);
    return signInView({ action: PATH, returnTo, email: typed(visit.form, 'email'), ...tried });
  },
};

export type Tried =
  | { readonly ok: true; readonly accountId: string }
  | { readonly ok: false; readonly errors: FieldErrors; readonly status: number };

/** Signs in with the form that was sent. One text for a wrong password and for an address without an account. */
export async function trySignIn(visit: Visit): Promise<Tried> {
  const checked = checkForm(SignInForm, visit.form);
  if (!checked.ok) return { ok: false, errors: checked.errors, status: 400 };
  await limitGuesses(visit, checked.data.email);
  const session = await signIn(visit.parts.identity, { ...checked.data, ...visit.origin });
  if (!session) return { ok: false, errors: { email: 'The e-mail address or the password is wrong.' }, status: 403 };
  await startSession(visit, session);
  return { ok: true, accountId: session.user.id };
}
