import { email as emailSchema, Fault } from '../../contract/index.ts';

/** The address as it is stored, or a fault. */
export function checkAddress(email: string): string {
  const address = emailSchema().safeParse(email);
  if (!address.success) throw new Fault('INVALID_REQUEST', 'email: must be an e-mail address.');
  return address.data;
}
