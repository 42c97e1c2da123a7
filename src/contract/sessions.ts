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
    last_used_at: instant().describe('Accurate to five minutes. A session ends after seven days without use.'),
    user_agent: z.string().nullable(),
  })
  .meta({ id: 'BrowserSession' });

export const sessionOperations = {
  createSession: operation({
    group: 'Sessions',
    method: 'POST',
    path: '/v1/sessions',
    action: 'session.create',
    summary: 'Sign in',
    description: 'Sets the session cookie. A wrong password and an unknown address return the same error.',
    // The address is not checked with `email()`, so that an invalid one gets the same error as an unknown one.
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
    summary: 'Sign out',
    description:
      'Ends the session that the cookie belongs to, if there is one, and clears the cookie. Repeating the request is safe.',
    status: 200,
    reply: resource(z.strictObject({ signed_out: z.literal(true) })),
  }),
  listSessions: operation({
    group: 'Sessions',
    method: 'GET',
    path: '/v1/me/sessions',
    action: 'sessions.manage',
    summary: 'List browser sessions',
    description: 'Lists the browsers that are signed in to the account.',
    status: 200,
    reply: resource(z.strictObject({ sessions: z.array(BrowserSession) })),
  }),
  endOtherSessions: operation({
    group: 'Sessions',
    method: 'DELETE',
    path: '/v1/me/sessions',
    action: 'sessions.manage',
    summary: 'Sign out all other browsers',
    description: 'Ends every session of the account except the caller’s own.',
    status: 200,
    reply: resource(z.strictObject({ ended: z.int().min(0) })),
  }),
  endSessionById: operation({
    group: 'Sessions',
    method: 'DELETE',
    path: '/v1/me/sessions/{session_id}',
    action: 'sessions.manage',
    summary: 'Sign out one browser',
    description: 'Takes effect immediately. Ending the caller’s own session signs the caller out.',
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
    summary: 'Create a guest session',
    description: 'Sets the cookie for an anonymous guest session. A browser that already has a guest session keeps it.',
    status: 201,
    reply: resource(z.strictObject({ guest_id: z.string(), expires_at: instant() })),
  }),
};
