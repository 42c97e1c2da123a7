import { Fault, isStorableText } from '../../contract/index.ts';
import { checkAddress } from '../accounts/check-address.ts';
import type { IdentityContext } from '../context.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import type { Origin } from '../security-events/origin.ts';
import { requestLink } from './new-link.ts';

export interface SignUpRequest {
  readonly email: string;
  readonly password: string;
  /** Where to go on once the account is there: a path of this site. */
  readonly returnTo: string | null;
  readonly origin?: Origin | undefined;
}

/**
 * Has a mail sent that makes the account. There is none until its link is confirmed with the same password, so that
 * nobody can take somebody else's address; and all that depends on whether the address has an account already is done
 * by the worker, so that nobody can find out.
 */
export async function requestSignUp(context: IdentityContext, request: SignUpRequest): Promise<void> {
  const email = checkAddress(request.email);
  checkNewPassword(request.password);
  checkReturnTo(request.returnTo);
  const passwordHash = await hashPassword(request.password);
  const { returnTo, origin } = request;
  await context.database.transaction((tx) =>
    requestLink(context, tx, { kind: 'sign_up', email, passwordHash, returnTo, origin }),
  );
}

const LONGEST_PATH = 2_000;

/** A browser takes `//host` and `/\host` for another site, and drops control characters before it looks. */
function checkReturnTo(path: string | null): void {
  if (path === null) return;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const own = /^\/(?!\/)[^\\\u0000-\u001f\u007f]*$/.test(path) && isStorableText(path);
  if (!own || path.length > LONGEST_PATH) {
    throw new Fault(
      'INVALID_REQUEST',
      `return_to: must be a path of this site, of at most ${LONGEST_PATH} characters.`,
    );
  }
}
