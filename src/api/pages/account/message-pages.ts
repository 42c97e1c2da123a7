import type { ErrorPage } from '../../../identity/index.ts';
import { html, type Page, renderDocument } from '../html.ts';
import { NO_MAIL_SERVER } from '../no-mail-server.ts';
import { pageHeaders } from '../serve-pages.ts';
import type { Visit } from '../visit.ts';

/** How long a browser keeps the address that was entered: as long as a person looks for the email. */
const ADDRESS_SECONDS = 900;

/** The longest address that an email can have. */
const MAX_ADDRESS_LENGTH = 254;

/**
 * Keeps an address for the pages that follow in this browser: the one to which an email goes, or that of an invitation.
 * It is kept in a cookie, because addresses of pages are logged.
 */
export function keepAddress({ cookies }: Pick<Visit, 'cookies'>, email: string): void {
  cookies.set('address', email, ADDRESS_SECONDS);
}

/** Returns the address that this browser keeps, if there is one. */
export function keptAddress({ cookies }: Pick<Visit, 'cookies'>): string | undefined {
  return cookies.get('address')?.slice(0, MAX_ADDRESS_LENGTH) || undefined;
}

interface CheckYourMail {
  readonly visit: Pick<Visit, 'cookies' | 'parts'>;
  /** States that an email was sent. */
  readonly sent: string;
  /** What to do with the email. */
  readonly purpose: string;
  /** The page on which the email can be requested again, or for another address. */
  readonly again: string;
}

/**
 * The page after every request for an email. It shows the address as it was entered and is otherwise the same for every
 * address, so that it does not reveal which addresses have an account.
 */
export function checkYourMailPage({ visit, sent, purpose, again }: CheckYourMail): Page {
  const email = keptAddress(visit);
  const hasMailServer = visit.parts.config.mail !== undefined;
  const title = hasMailServer ? 'Check your email' : 'The email is in the log';
  return {
    title,
    body: html`<div class="card stack">
<h1>${title}</h1>
<p>${hasMailServer ? sent : NO_MAIL_SERVER} ${purpose}</p>
${email !== undefined && html`<p>The address that you entered is <strong>${email}</strong>.</p>`}
<p class="soft">${hasMailServer && 'It can take a few minutes. Check your spam folder as well. '}The link works once.</p>
<p><a class="tap" href="${again}">Send it again, or to another address</a></p>
<p><a class="tap" href="/auth/sign-in">Back to sign in</a></p>
</div>`,
  };
}

interface DeadLink {
  /** The page where another link can be requested, and the text of the link to that page. */
  readonly href: string;
  readonly text: string;
  /** Another reason why a link of this kind no longer works, followed by a comma and a space. */
  readonly cause?: string;
}

/** The page for a link that was used, has expired or is invalid. */
export function deadLinkPage({ href, text, cause }: DeadLink): Page {
  return {
    title: 'This link no longer works',
    status: 410,
    failed: true,
    body: html`<div class="card stack">
<h1>This link no longer works</h1>
<p role="alert">It was already used, it has expired, ${cause}or part of it is missing.</p>
<p><a class="button whole" href="${href}">${text}</a></p>
<p><a class="tap" href="/auth/sign-in">Sign in</a></p>
</div>`,
  };
}

/** The page for a sign-in request of an application that has expired or was started in another browser. */
export function expiredRequestPage(): Page {
  return {
    title: 'This request has expired',
    status: 410,
    failed: true,
    body: html`<div class="card stack">
<h1>This request has expired</h1>
<p role="alert">An application asked you to sign in, but that was too long ago or in another browser.</p>
<ul class="ticks">
<li>Go back to the application and sign in from there again.</li>
<li>If it happens again, allow cookies for this site.</li>
</ul>
<p><a class="tap" href="/auth/account">Go to your account</a></p>
</div>`,
  };
}

const EXPIRED = /session|expired|interaction/i;

/** The page for an invalid request of an application. It shows what to do and what to report to the developer. */
export const oauthErrorPage: ErrorPage = ({ error, description, requestId }) => {
  const hasExpired = error === 'invalid_request' && EXPIRED.test(description);
  const advice = hasExpired
    ? 'It took too long or was started in another browser. Go back to the application and sign in from there again.'
    : 'Go back to the application and try again. If the error persists, send the lines below to its developer.';
  const title = hasExpired ? 'This request has expired' : 'The application sent an invalid request';
  const page = {
    title,
    failed: true,
    body: html`<div class="card stack">
<h1>${title}</h1>
<p role="alert">${advice}</p>
<dl class="small">
<div><dt>Error</dt><dd><code>${error}</code></dd></div>
${description !== '' && html`<div><dt>Reason</dt><dd>${description}</dd></div>`}
<div><dt>Request</dt><dd>${requestId}</dd></div>
</dl>
<p><a class="tap" href="/auth/account">Go to your account</a></p>
</div>`,
  };
  return { html: renderDocument(page), headers: pageHeaders() };
};
