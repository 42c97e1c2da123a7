import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client, Provider, Interaction as Question } from 'oidc-provider';
import { Fault } from '../../contract/index.ts';
import { hintedPerson } from './hinted-person.ts';
import { type Interaction, OAUTH_MOUNT } from './oauth.ts';

export type { Question };

/** What is asked at this browser's page; null when nothing is, or no longer. */
export async function findQuestion(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Question | null> {
  try {
    return await provider.interactionDetails(request, response);
  } catch (error) {
    if ((error as Error).name === 'SessionNotFound') return null;
    throw error;
  }
}

/** The same for an answer to it. */
export async function requireQuestion(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Question> {
  const question = await findQuestion(provider, request, response);
  if (question) return question;
  throw new Fault(
    'NOT_FOUND',
    'This was answered already, or took too long. Go back to the application and try again.',
  );
}

export interface AboutQuestion {
  readonly siteUrl: string;
  readonly consents: boolean;
  /** Who is signed in at this browser, and for how many seconds. */
  readonly signedIn: { readonly accountId: string; readonly seconds: number } | null;
}

/** The question for the page that asks it. */
export function describeQuestion(
  { uid, params, prompt, session }: Question,
  client: Client,
  { siteUrl, consents, signedIn }: AboutQuestion,
): Interaction {
  const hinted = hintedPerson(params);
  const longAgo = (signedIn?.seconds ?? 0) > Number(params.max_age ?? Infinity);
  const somebodyElse = signedIn !== null && hinted !== null && hinted.sub !== signedIn.accountId;
  return {
    uid,
    prompt: consents ? 'consent' : 'login',
    passwordWanted: prompt.reasons.includes('login_prompt') || longAgo || somebodyElse,
    client: { id: client.clientId, name: client.clientName ?? client.clientId, uri: client.clientUri ?? null },
    accountId: consents ? (session?.accountId ?? null) : null,
    scopes: scopesOf(params),
    resource: siteUrl,
    redirectUri: String(params.redirect_uri),
    loginHint: typeof params.login_hint === 'string' ? params.login_hint : (hinted?.email ?? null),
  };
}

export function scopesOf(params: Question['params']): string[] {
  return String(params.scope ?? '')
    .split(' ')
    .filter(Boolean);
}

/** One question has one answer: a second click grants nothing more. */
export function grantIdFor({ uid }: Question): string {
  return `grt_${hash('sha256', uid, 'base64url').slice(0, 26)}`;
}

/** The page where it is asked. */
export function pageOf({ uid }: Question): string {
  return `${OAUTH_MOUNT}/interaction/${uid}`;
}
