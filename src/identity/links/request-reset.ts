import { checkAddress } from '../accounts/check-address.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from '../security-events/origin.ts';
import { requestLink } from './new-link.ts';

/**
 * Has a mail sent by which the owner of the address can choose a new password. For an address without an account the
 * same is done here; the worker then finds nobody to write to.
 */
export async function requestPasswordReset(
  context: IdentityContext,
  request: { readonly email: string; readonly origin?: Origin | undefined },
): Promise<void> {
  const email = checkAddress(request.email);
  await context.database.transaction((tx) =>
    requestLink(context, tx, { kind: 'reset_password', email, origin: request.origin }),
  );
}
