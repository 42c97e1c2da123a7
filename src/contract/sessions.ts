import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

export const BrowserSession = z
  .strictObject({
    id: z.string(),
    current: z.boolean(),
    created_at: instant(),
    expires_at: instant(),
    /** Kept to five minutes. A session that was left alone for seven days has ended. */
    last_used_at: instant(),
    user_agent: z.string().nullable(),
  })
  .meta({ id: 'BrowserSession' });

export const sessionOperations = {
  createSession: operation({
    group: 'Sessions',
    method: 'POST',
    path: '/v1/sessions',
    action: 'session.create',
    summary: 'Sign a browser in',
    description: 'Sets the session cookie. A wrong password and an unknown address give the same answer.',
    // Not `email()`: sign-in looks an address up, it does not judge it.
    body: z.strictObject({ email: text({ max: 254 }), password: text({ max: 1024 }) }),
    status: 201,
    reply: resource(
      z.strictObject({ user: z.strictObject({ id: z.string(), email: z.string() }), expires_at: instant() }),
    ),
    errors: ['UNAUTHENTICATED'],
  }),
  endSession: operation({
    group: 'Sessions',
    method: 'DELETE',
    path: '/v1/sessions/current',
    action: 'session.end',
    summary: 'Sign this browser out',
    description: 'Ends the session of the cookie, if there is one, and clears the cookie. Safe to repeat.',
    status: 200,
    reply: resource(z.strictObject({ signed_out: z.literal(true) })),
  }),
  listSessions: operation({
    group: 'Sessions',
    method: 'GET',
    path: '/v1/me/sessions',
    action: 'sessions.manage',
    summary: 'Browsers signed in to the account',
    status: 200,
    reply: resource(z.strictObject({ sessions: z.array(BrowserSession) })),
  }),
  endOtherSessions: operation({
    group: 'Sessions',
    method: 'DELETE',
    path: '/v1/me/sessions',
    action: 'sessions.manage',
    summary: 'Sign every other browser out',
    description: 'Ends every session of the account but the caller’s own.',
    status: 200,
    reply: resource(z.strictObject({ ended: z.int().min(0) })),
  }),
  endSessionById: operation({
    group: 'Sessions',
    method: 'DELETE',
    path: '/v1/me/sessions/{session_id}',
    action: 'sessions.manage',
    summary: 'Sign one browser out',
    description: 'Effective at once. A browser that ends its own session is signed out by it.',
    params: z.strictObject({ session_id: identifier() }),
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), ended: z.literal(true) })),
    errors: ['NOT_FOUND'],
  }),
  createGuestSession: operation({
    group: 'Sessions',
    method: 'POST',
    path: '/v1/guest-sessions',
    action: 'guest.create',
    summary: 'Give this browser an anonymous identity',
    description: 'Sets the guest cookie. A browser that is a guest already keeps its identity.',
    status: 201,
    reply: resource(z.strictObject({ guest_id: z.string(), expires_at: instant() })),
  }),
};
