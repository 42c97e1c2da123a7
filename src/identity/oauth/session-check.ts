import type { IncomingMessage } from 'node:http';
import type { errors, interactionPolicy } from 'oidc-provider';
import type { BrowserSession } from './browser-session.ts';
import { hintedPerson } from './hinted-person.ts';

/**
 * The provider has sessions of its own, and they must follow ours: whoever has signed out here, or signed in as
 * somebody else, is asked again.
 */
export function followOurSession(
  { Check }: typeof interactionPolicy,
  browserSession: (request: IncomingMessage) => Promise<BrowserSession | null>,
): interactionPolicy.Check {
  return new Check('other_session', 'End-User authentication is required', 'login_required', async (ctx) => {
    const known = ctx.oidc.session?.accountId;
    // Without one the provider asks by itself.
    if (known === undefined) return Check.NO_NEED_TO_PROMPT;
    return (await browserSession(ctx.req))?.accountId === known ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
  });
}

/**
 * An application that names a person by id_token_hint gets an answer about that person or none (OpenID Connect Core,
 * 3.1.2.1). The library looks at the hint when the request comes, and not again after somebody has signed in.
 */
export function followTheHint(
  { Check }: typeof interactionPolicy,
  { LoginRequired }: typeof errors,
): interactionPolicy.Check {
  return new Check('other_person', 'id_token_hint names somebody else', 'login_required', ({ oidc }) => {
    const known = oidc.session?.accountId;
    const hinted = hintedPerson(oidc.params ?? {});
    if (known === undefined || hinted === null || hinted.sub === known) return Check.NO_NEED_TO_PROMPT;
    // Asked already, and somebody else came: to ask again would go on for ever.
    if (oidc.result?.login) throw new LoginRequired('id_token_hint names somebody else than who has signed in');
    return Check.REQUEST_PROMPT;
  });
}
