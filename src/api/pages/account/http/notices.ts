import type { Visit } from './visit.ts';

/** What a page says at its top about what was done on the one before. */
const NOTICES = {
  signed_out: 'You are signed out.',
  password_changed: 'Your password is changed. Every other browser is signed out.',
  password_reset: 'Your new password is set. Every other browser is signed out.',
  address_confirmed: 'Your e-mail address is confirmed.',
  verification_sent: 'A mail is on its way. Open the link in it to confirm your address.',
  session_ended: 'That browser is signed out.',
  sessions_ended: 'Every other browser is signed out.',
  application_revoked: 'The application can no longer use your account.',
  key_revoked: 'The API key is revoked.',
  workspace_joined: 'You are a member of the workspace now.',
  gone_already: 'It had ended already; there was nothing to do.',
} as const;

export type Notice = keyof typeof NOTICES;

/** Long enough for the redirect that follows. */
const SECONDS = 60;

/** In a cookie and not in the address: a link from elsewhere cannot make the page claim something. */
export function leaveNotice({ cookies }: Visit, notice: Notice): void {
  cookies.set('notice', notice, SECONDS);
}

/** The text that was left, once. */
export function takeNotice({ cookies }: Visit): string | null {
  const left = cookies.get('notice');
  if (left === undefined) return null;
  cookies.clear('notice');
  return Object.hasOwn(NOTICES, left) ? NOTICES[left as Notice] : null;
}
