import { Fault } from '../contract/index.ts';

// Accounts

export function accountNotFound(email: string): Fault {
  return new Fault('NOT_FOUND', `No account has the address ${email}.`);
}

export function accountGone(): Fault {
  return new Fault('NOT_FOUND', 'This account no longer exists.');
}

export function accountLocked(): Fault {
  return new Fault(
    'ACCOUNT_LOCKED',
    'An administrator locked this account. Nothing in it was deleted. Ask the operator of this service why.',
  );
}

export function accountIdUnknown(): Fault {
  return new Fault('NOT_FOUND', 'No account has this id.');
}

export function administrationEnded(): Fault {
  return new Fault('ADMINISTRATOR_REQUIRED', 'You are no longer an administrator. Nothing was changed.');
}

/** @param field the field of the request that would end the caller's own administration */
export function ownAdministration(field: 'administrator' | 'locked'): Fault {
  const problem = field === 'locked' ? 'you cannot lock your own account' : 'you cannot end your own administration';
  return new Fault('CONFLICT', `${field}: ${problem}. Ask another administrator, so that one always remains.`);
}

export function emailTaken(email: string): Fault {
  return new Fault('CONFLICT', `email: there is already an account with the address ${email}.`);
}

export function invalidEmail(): Fault {
  return new Fault('INVALID_REQUEST', 'email: must be an email address.');
}

export function emailAlreadyVerified(): Fault {
  return new Fault('CONFLICT', 'The email address is already verified.');
}

// Passwords

export function invalidPasswordLength(
  field: string,
  { min, max }: { readonly min: number; readonly max: number },
): Fault {
  return new Fault('INVALID_REQUEST', `${field}: must have ${min} to ${max} characters.`);
}

export function passwordNotStorable(field: string): Fault {
  return new Fault('INVALID_REQUEST', `${field}: must not contain NUL or lone surrogate characters.`);
}

export function passwordTooSimple(field: string): Fault {
  return new Fault('INVALID_REQUEST', `${field}: must not consist of spaces or of one repeated character.`);
}

export function passwordUnchanged(): Fault {
  return new Fault('INVALID_REQUEST', 'new_password: must differ from the current password.');
}

// API keys

export function keyExpiresInPast(): Fault {
  return new Fault('INVALID_REQUEST', 'expires_at: must be in the future.');
}

export function scopeBeyondCredential(scope: string): Fault {
  return new Fault('SCOPE_DENIED', `scopes: the credential of this request does not have the scope ${scope}.`, {
    missingScope: scope,
  });
}

export function keyOutlivesCredential(end: Date): Fault {
  return new Fault(
    'SCOPE_DENIED',
    `expires_at: must not be after ${end.toISOString()}, when the credential of this request expires.`,
  );
}

export function tooManyKeys(max: number): Fault {
  return new Fault('LIMIT_REACHED', `An account can have at most ${max} active API keys. Revoke one first.`);
}

export function credentialRevoked(): Fault {
  return new Fault('UNAUTHENTICATED', 'The credential of this request was revoked while the request was running.');
}

// Links

export function invalidReturnTo(maxLength: number): Fault {
  return new Fault('INVALID_REQUEST', `return_to: must be a path of this site with at most ${maxLength} characters.`);
}

// OAuth

export function interactionEnded(): Fault {
  return new Fault(
    'NOT_FOUND',
    'This sign-in was already completed or has expired. Go back to the application and start again.',
  );
}

/** @param problem such as "must have 1 to 100 characters" */
export function invalidClientName(problem: string): Fault {
  return new Fault('INVALID_REQUEST', `name: ${problem}.`);
}

export function invalidHomePage(maxLength: number): Fault {
  return new Fault('INVALID_REQUEST', `uri: must be an https or http URL with at most ${maxLength} characters.`);
}

/** @param problem what is wrong with the document that describes an application, such as "is not JSON" */
export function invalidClientDocument(problem: string): Fault {
  return new Fault('INVALID_REQUEST', `client_id: the document that describes the application ${problem}.`);
}

/** @param reason a whole sentence */
export function unreadableClientDocument(reason: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `client_id: the document that describes the application cannot be read. ${reason}`,
  );
}

export function redirectUriWithdrawn(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'redirect_uri: the application no longer lists the address to which you would be sent. Start again in the application.',
  );
}

export function noRedirectUri(): Fault {
  return new Fault('INVALID_REQUEST', 'redirect_uri: at least one is required.');
}

export function duplicateRedirectUri(): Fault {
  return new Fault('INVALID_REQUEST', 'redirect_uri: the same URI is listed twice.');
}

/** @param problem such as "must not have a fragment" */
export function invalidRedirectUri(uri: string, problem: string): Fault {
  return new Fault('INVALID_REQUEST', `redirect_uri: ${JSON.stringify(uri.slice(0, 200))} ${problem}.`);
}

export function privateSchemeForConfidential(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'redirect_uri: only installed applications can use a private-use scheme, and they cannot keep a secret. Omit --confidential.',
  );
}

export function httpsLoopbackForNative(): Fault {
  return new Fault('INVALID_REQUEST', 'redirect_uri: an installed application must use http on loopback, not https.');
}
