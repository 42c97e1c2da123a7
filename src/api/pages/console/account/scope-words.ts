import type { Scope } from '../../../../contract/index.ts';

/** What each scope allows, in words for the owner of a key. */
export const SCOPE_WORDS: Readonly<Record<Scope, readonly [name: string, meaning: string]>> = {
  'datasets:read': ['Read data', 'Search for markets and series, and read their rows.'],
  'forecasts:read': ['Read forecasts', 'Read your forecasts and those shared with you, with their outcomes.'],
  'forecasts:write': ['Make forecasts', 'Create, rename, share and delete forecasts. This uses your credits.'],
  'workspaces:read': ['Read workspaces', 'Read your workspaces, their members, and the content of their files.'],
  'workspaces:write': [
    'Change workspaces',
    'Upload and delete files, invite members, answer invitations, delete workspaces.',
  ],
  'events:read': ['Read questions', 'Read questions, their probabilities and the scoreboard.'],
  'events:write': ['Ask questions', 'Create, revise and resolve questions.'],
  'screener:read': ['Read filters', 'Read your screener filters and what they match.'],
  'screener:write': ['Change filters', 'Save and delete screener filters, and turn their emails on or off.'],
  'webhooks:read': ['Read webhooks', 'Read your webhooks and those of your workspaces, and what was sent to them.'],
  'webhooks:write': ['Change webhooks', 'Make, change, test and delete webhooks, to which events are sent.'],
  'account:read': [
    'Read and manage the account',
    'Read your usage and security events, but also make and revoke keys and sign browsers out. Only for programs that you fully trust.',
  ],
};

/** The scopes in the order of the form, those with the widest effect last. */
export const SHOWN_SCOPES = Object.keys(SCOPE_WORDS) as readonly Scope[];

/** What most programs need. */
export const USUAL_SCOPES: readonly Scope[] = ['datasets:read', 'forecasts:read', 'forecasts:write'];
