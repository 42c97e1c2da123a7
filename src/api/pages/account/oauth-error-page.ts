import type { ErrorPage } from '../../../identity/index.ts';
import { pageHeaders } from './http/send-page.ts';
import { renderDocument } from './markup/document.ts';
import { html } from './markup/html.ts';

const EXPIRED = /session|expired|interaction/i;

/** The page for a person whose application has asked for something wrong: what to do, and what to tell its makers. */
export const oauthErrorPage: ErrorPage = ({ error, description, requestId }) => {
  const over = error === 'invalid_request' && EXPIRED.test(description);
  const advice = over
    ? 'It took too long, or it was begun in another browser. Go back to the application and sign in from there again.'
    : 'Go back to the application and try again. If it stays, show the lines below to whoever makes it.';
  const title = over ? 'This request has expired' : 'The application’s request cannot be answered';
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
