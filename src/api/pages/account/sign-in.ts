import { z } from 'zod';
import { Fault } from '../../../contract/index.ts';
import { type StartedSession, signIn } from '../../../identity/index.ts';
import { isRefusedAccount } from '../../edge/authenticate.ts';
import { limitPasswordAttempts } from '../../limits/request-limits.ts';
import {
  checkForm,
  emailField,
  errorSummary,
  type FieldErrors,
  field,
  form,
  hidden,
  noticeBanner,
  passwordField,
  readField,
} from '../forms.ts';
import { html, type Page } from '../html.ts';
import {
  continueAfterSignIn,
  continueToApplication,
  type PageRoute,
  readReturnTo,
  replaceSession,
  SeeOther,
  takeNotice,
  type Visit,
  withReturnTo,
} from '../visit.ts';

const SIGN_IN_PATH = '/auth/sign-in';

const SignInForm = z.object({ email: emailField(), password: passwordField('Enter your password.') });

export const signInPage: PageRoute = {
  path: SIGN_IN_PATH,

  async get(visit) {
    const returnTo = readReturnTo(visit.query.return_to);
    if (visit.account) return new SeeOther(returnTo ?? '/auth/account');
    return signInView({ action: SIGN_IN_PATH, returnTo, notice: takeNotice(visit) });
  },

  async post(visit) {
    const returnTo = readReturnTo(readField(visit.form, 'return_to'));
    const result = await trySignIn(visit);
    if (result.ok) return continueAfterSignIn(returnTo);
    return signInView({ action: SIGN_IN_PATH, returnTo, email: readField(visit.form, 'email'), ...result });
  },
};

type SignInResult =
  | { readonly ok: true; readonly accountId: string }
  | { readonly ok: false; readonly errors: FieldErrors; readonly status: number };

/**
 * Signs in with the submitted form. A wrong password and an unknown address cause the same error. That the account is
 * locked is stated only after the right password.
 */
export async function trySignIn(visit: Visit): Promise<SignInResult> {
  const checked = checkForm(SignInForm, visit.form);
  if (!checked.ok) return { ok: false, errors: checked.errors, status: 400 };
  await limitPasswordAttempts(visit, checked.data.email);
  const { identity, config } = visit.parts;
  let session: StartedSession | null = null;
  try {
    if (!isRefusedAccount(config, checked.data.email)) {
      session = await signIn(identity, { ...checked.data, ...visit.origin });
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'ACCOUNT_LOCKED') throw error;
    return { ok: false, errors: { email: error.message }, status: error.status };
  }
  if (!session) return { ok: false, errors: { email: 'The email address or the password is wrong.' }, status: 403 };
  await replaceSession(visit, session);
  return { ok: true, accountId: session.user.id };
}

export interface SignInView {
  /** The address that the form posts to. */
  readonly action: string;
  readonly returnTo: string | null;
  /** The name of the application that requested the sign-in. */
  readonly client?: string | undefined;
  readonly email?: string | undefined;
  readonly errors?: FieldErrors;
  readonly notice?: string | null;
  readonly status?: number;
}

/** Renders the sign-in form. If an application requested the sign-in, the form names it and can be canceled. */
export function signInView({ action, returnTo, client, email, errors = {}, ...view }: SignInView): Page {
  return {
    title: 'Sign in',
    status: view.status ?? 200,
    failed: Object.keys(errors).length > 0,
    body: html`<div class="card stack">
<h1>Sign in</h1>
${client !== undefined && html`<p class="soft tight">to continue to <strong>${client}</strong></p>`}
${noticeBanner(view.notice ?? null)}
${errorSummary(errors)}
${form(
  action,
  html`${hidden('return_to', returnTo)}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: email }, errors)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }, errors)}
<button class="whole">Sign in</button>`,
)}
${client !== undefined && form(action, html`${hidden('decision', 'deny')}<button class="whole quiet">Cancel</button>`)}
<p class="row-links"><a href="${withReturnTo('/auth/sign-up', returnTo)}">Create an account</a>
<a href="/auth/forgot">Forgot your password?</a></p>
</div>`,
  };
}

/**
 * The page that is shown after every sign-in. It detects browsers that refuse the cookie: some refuse all cookies, and
 * some refuse secure cookies over plain HTTP, even on loopback. They would otherwise get the sign-in form again without
 * an explanation.
 */
export const signedInPage: PageRoute = {
  path: '/auth/signed-in',

  async get(visit) {
    const { account, query, parts, request } = visit;
    const returnTo = readReturnTo(query.return_to) ?? '/auth/account';
    if (account)
      return returnTo.startsWith('/auth/interaction/')
        ? continueToApplication(visit, returnTo)
        : new SeeOther(returnTo);
    const site = new URL(parts.siteUrl());
    const isPlainHttp = request.protocol === 'http';
    return {
      title: 'Your browser did not keep you signed in',
      status: 403,
      failed: true,
      body: html`<div class="card stack">
<h1>Your browser did not keep you signed in</h1>
<p role="alert">Your password is correct, but your browser did not send the session cookie back.</p>
<ul class="ticks">
<li>Allow cookies for this site, then sign in again.</li>
${
  isPlainHttp &&
  html`<li>Some browsers refuse secure cookies over plain HTTP. Open
<a href="http://localhost${site.port && `:${site.port}`}/auth/sign-in">the same page at localhost</a>, or use Chrome or Edge.</li>`
}
</ul>
<p><a class="button whole" href="/auth/sign-in">Sign in again</a></p>
</div>`,
    };
  },
};
