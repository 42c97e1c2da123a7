import type { FastifyInstance } from 'fastify';
import type { ApiParts } from '../../parts.ts';
import { servePages } from '../serve-pages.ts';
import type { PageRoute } from '../visit.ts';
import { interactionPage } from './interaction.ts';
import { invitationPage } from './invitation.ts';
import { forgotPage, forgotSentPage, resetPage } from './reset-password.ts';
import { signedInPage, signInPage } from './sign-in.ts';
import { signOutPage } from './sign-out.ts';
import { confirmSignUpPage, signUpPage, signUpSentPage } from './sign-up.ts';
import { verifyPage } from './verify-email.ts';

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
];

/** Registers the pages for sign-in and sign-up. They work without JavaScript. */
export function registerAccountPages(app: FastifyInstance, parts: ApiParts): Promise<void> {
  return servePages(app, parts, PAGES);
}
