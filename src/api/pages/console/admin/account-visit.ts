import { createHash } from 'node:crypto';
import type { Operations, Output } from '../../../../contract/index.ts';
import { routeNotFound } from '../../../edge/faults.ts';
import { hidden, readField } from '../../forms.ts';
import type { Html } from '../../html.ts';
import type { Notice } from '../../visit.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import { type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';
import { accountPath } from './accounts-page.ts';

export type AccountDetails = Output<Operations['readAccount']>;

/** Returns the path parameter by which the address of a page names an account. */
function nameOf({ params }: ConsoleVisit): { readonly user_id: string } {
  // The router also matches addresses such as /admin/users//lock.
  if (!params.id) throw routeNotFound();
  return { user_id: params.id };
}

/** Reads the account of a page. */
export function readAccount(visit: ConsoleVisit): Promise<AccountDetails> {
  return visit.visitor.call('readAccount', { params: nameOf(visit) });
}

/** Renders what a form showed of an account, so that a form with an old state changes nothing. */
export function renderSeen(account: AccountDetails): Html | null {
  return hidden('seen', digest(account));
}

function digest({ plan, administrator, locked, email_verified }: AccountDetails): string {
  return createHash('sha256')
    .update(JSON.stringify([plan, administrator, locked, email_verified]))
    .digest('base64url');
}

const CHANGED: Refusal = {
  status: 412,
  message: 'The account changed while this form was open. Nothing was done. This is how it is now; decide again.',
};

/** The outcome of a form that was not carried out. */
export interface Refused {
  readonly account: AccountDetails;
  readonly refusal: Refusal;
}

/**
 * Carries out the form of a page if the account is still as the form showed it.
 *
 * @returns where to continue, or why nothing was done
 */
export async function changeAccount(visit: ConsoleVisit, body: object, notice: Notice): Promise<SeeOther | Refused> {
  const account = await readAccount(visit);
  if (readField(visit.form, 'seen') !== digest(account)) return { account, refusal: CHANGED };
  try {
    await visit.visitor.call('updateAccount', { params: nameOf(visit), body });
  } catch (error) {
    return { account, refusal: toRefusal(error) };
  }
  const address = accountPath(account);
  setNotice(visit, notice, address);
  return new SeeOther(address);
}
