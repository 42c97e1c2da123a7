import type { Page } from './markup/document.ts';
import { type Html, html } from './markup/html.ts';

/** The same after every request for a mail, whether or not there is an account: nobody learns who is with us. */
export function checkYourMail(purpose: Html): Page {
  return {
    title: 'Check your mail',
    body: html`<div class="card stack">
<h1>Check your mail</h1>
<p>${purpose}</p>
<p class="soft">It can take a few minutes. Look into the folder for unwanted mail, too. The link works once.</p>
<p><a class="tap" href="/auth/sign-in">Back to sign in</a></p>
</div>`,
  };
}

interface DeadLink {
  /** Where to get another, and what the way there is called. */
  readonly href: string;
  readonly text: string;
  /** What else can end a link of this kind, with the comma that follows it. */
  readonly cause?: string;
}

/** For a link that was used, has expired, or never was one. */
export function deadLink({ href, text, cause }: DeadLink): Page {
  return {
    title: 'This link does not work any more',
    status: 410,
    failed: true,
    body: html`<div class="card stack">
<h1>This link does not work any more</h1>
<p role="alert">It was used already, it has expired, ${cause}or a part of it is missing.</p>
<p><a class="button whole" href="${href}">${text}</a></p>
<p><a class="tap" href="/auth/sign-in">Sign in</a></p>
</div>`,
  };
}

/** For an application's request that is over, or that this browser knows nothing of. */
export function expiredRequest(): Page {
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
