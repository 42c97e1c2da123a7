import type { FastifyInstance } from 'fastify';
import type { ApiParts } from '../../parts.ts';
import { confirmSignUpPage } from './confirm-sign-up.ts';
import { forgotPage, forgotSentPage } from './forgot.ts';
import { servePages } from './http/serve-pages.ts';
import type { PageRoute } from './http/visit.ts';
import { interactionPage } from './interaction/page.ts';
import { invitationPage } from './invitation.ts';
import { accountActions } from './overview/actions.ts';
import { accountPage } from './overview/page.ts';
import { resetPage } from './reset.ts';
import { signInPage } from './sign-in.ts';
import { signOutPage } from './sign-out.ts';
import { signUpPage, signUpSentPage } from './sign-up.ts';
import { signedInPage } from './signed-in.ts';
import { verifyPage } from './verify.ts';

const PAGES: readonly PageRoute[] = [
  signInPage,
  signedInPage,
  signOutPage,
  signUpPage,
  signUpSentPage,
  confirmSignUpPage,
  verifyPage,
  forgotPage,
  forgotSentPage,
  resetPage,
  invitationPage,
  interactionPage,
  accountPage,
  ...accountActions,
];

/** The pages by which people get in and out, and look after their account. They work without JavaScript. */
export function registerAccountPages(app: FastifyInstance, parts: ApiParts): Promise<void> {
  return servePages(app, parts, PAGES);
}
