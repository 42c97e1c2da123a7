import type { Interaction } from '../../../../identity/index.ts';
import { typed } from '../http/check-form.ts';
import { handOff } from '../http/hand-off.ts';
import { takeNotice } from '../http/notices.ts';
import { type PageRoute, SeeOther, type Visit } from '../http/visit.ts';
import type { Page } from '../markup/document.ts';
import { expiredRequest } from '../messages.ts';
import { trySignIn } from '../sign-in.ts';
import { type SignInView, signInView } from '../sign-in-view.ts';
import { consentView } from './consent-view.ts';

/** Where the provider sends a browser whose user has to say something first: who they are, or whether they allow it. */
export const interactionPage: PageRoute = {
  path: '/auth/interaction/:uid',

  async get(visit) {
    const asked = await interactionOf(visit);
    if (!asked) return expiredRequest();
    const { account } = visit;
    if (account && isFor(asked, visit)) return consentView(asked, account);
    // Signed in already, here and not yet for the provider: nothing to ask.
    if (account && !asked.passwordWanted) {
      const { parts, request, reply } = visit;
      return new SeeOther(withinSite(await parts.oauth.signedIn(request.raw, reply.raw, account.accountId)));
    }
    return signInForm(asked, { notice: takeNotice(visit), email: asked.loginHint ?? account?.email });
  },

  async post(visit) {
    const asked = await interactionOf(visit);
    if (!asked) return expiredRequest();
    const { parts, request, reply, origin } = visit;
    switch (typed(visit.form, 'decision')) {
      case 'deny': {
        const address = await parts.oauth.refused(request.raw, reply.raw);
        return isFor(asked, visit) ? new SeeOther(withinSite(address)) : leave(visit, asked, address);
      }
      case 'allow':
        // Signed out or changed accounts in another tab: what was shown is not what would be granted.
        if (!isFor(asked, visit)) return new SeeOther(`/auth/interaction/${asked.uid}`);
        return new SeeOther(withinSite(await parts.oauth.consented(request.raw, reply.raw, origin)));
      default:
        return signInHere(visit, asked);
    }
  },
};

/** Whether consent is asked of the very account that is signed in at this browser. */
function isFor({ prompt, accountId }: Interaction, { account }: Visit): boolean {
  return prompt === 'consent' && account?.accountId === accountId;
}

/** What is asked; null when that is over, or is not what this address is about. */
async function interactionOf({ parts, request, reply }: Visit): Promise<Interaction | null> {
  const { uid } = request.params as { uid: string };
  const asked = await parts.oauth.interaction(request.raw, reply.raw);
  return asked?.uid === uid ? asked : null;
}

async function signInHere(visit: Visit, asked: Interaction): Promise<Page | SeeOther> {
  const tried = await trySignIn(visit);
  if (!tried.ok) return signInForm(asked, { ...tried, email: typed(visit.form, 'email') });
  const { parts, request, reply } = visit;
  return leave(visit, asked, await parts.oauth.signedIn(request.raw, reply.raw, tried.accountId));
}

function signInForm({ uid, client }: Interaction, shown: Partial<SignInView>): Page {
  const here = `/auth/interaction/${uid}`;
  return signInView({ action: here, returnTo: here, client: client.name, ...shown });
}

/** From a page with a password in it. */
function leave(visit: Visit, { redirectUri }: Interaction, address: string): Page | SeeOther {
  return handOff(visit, withinSite(address), { byHand: !/^https?:/i.test(redirectUri) });
}

/** The provider names the site as it is configured; on loopback the browser may know it, and keep cookies, by another name. */
function withinSite(address: string): string {
  const { pathname, search } = new URL(address, 'http://site.invalid');
  return pathname + search;
}
