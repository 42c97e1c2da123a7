import { withReturnTo } from './http/return-to.ts';
import type { Page } from './markup/document.ts';
import { errorSummary, type FieldErrors, field, form, hidden, notice } from './markup/form.ts';
import { html } from './markup/html.ts';

export interface SignInView {
  /** Where the form goes. */
  readonly action: string;
  readonly returnTo: string | null;
  /** The name of the application that waits for it. */
  readonly client?: string | undefined;
  readonly email?: string | undefined;
  readonly errors?: FieldErrors;
  readonly notice?: string | null;
  readonly status?: number;
}

/** The form for address and password, alone or on the way to an application. */
export function signInView({ action, returnTo, client, email, errors = {}, ...view }: SignInView): Page {
  return {
    title: 'Sign in',
    status: view.status ?? 200,
    failed: Object.keys(errors).length > 0,
    body: html`<div class="card stack">
<h1>Sign in</h1>
${client !== undefined && html`<p class="soft tight">to continue to <strong>${client}</strong></p>`}
${notice(view.notice ?? null)}
${errorSummary(errors)}
${form(
  action,
  html`${hidden('return_to', returnTo)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email }, errors)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }, errors)}
<button class="whole">Sign in</button>`,
)}
${client !== undefined && form(action, html`${hidden('decision', 'deny')}<button class="whole quiet">Cancel</button>`)}
<p class="row-links"><a href="${withReturnTo('/auth/sign-up', returnTo)}">Create an account</a>
<a href="/auth/forgot">Forgot your password?</a></p>
</div>`,
  };
}
