import type { SomeExamples } from './example.ts';

/** The account, its keys, sessions and applications. */
export const ACCOUNT_EXAMPLES = {
  readAccess: {},
  readUsage: { query: { interval: 'month' } },
  changePassword: {
    caller: 'browser',
    body: { current_password: '{{password}}', new_password: '{{new_password}}' },
  },
  requestVerification: { caller: 'newcomer' },
  readNotifications: {},
  updateNotifications: { body: { forecasts: true } },
  exportAccount: { caller: 'browser' },
  readErasure: { caller: 'browser' },
  eraseAccount: { caller: 'browser', body: { current_password: '{{new_password}}', keep_public: 'all' } },

  createApiKey: {
    body: { name: 'Nightly report', scopes: ['datasets:read', 'forecasts:read'] },
    keeps: { key_id: 'data.id' },
  },
  listApiKeys: {},
  revokeApiKey: { params: { key_id: '{{key_id}}' } },

  createSession: {
    caller: null,
    body: { email: '{{email}}', password: '{{password}}' },
    keepsCookie: 'session',
  },
  listSessions: { keeps: { session_id: 'data.sessions.0.id' } },
  endSessionById: { params: { session_id: '{{session_id}}' } },
  endOtherSessions: { caller: 'browser' },
  endSession: { caller: 'browser' },
  createGuestSession: { caller: null, keepsCookie: 'guest' },

  listApplications: { keeps: { application_id: 'data.applications.0.id' } },
  revokeApplication: { params: { application_id: '{{application_id}}' } },
  listSecurityEvents: { query: { limit: 3 } },

  listInvitations: { caller: 'member', keeps: { invitation_id: 'data.invitations.0.invitation_id' } },
  acceptInvitation: { caller: 'member', params: { invitation_id: '{{invitation_id}}' } },
  declineInvitation: { caller: 'member', params: { invitation_id: '{{invitation_id}}' } },
} as const satisfies SomeExamples;
