import { Fault } from '../contract/index.ts';
import { UNSTATED_LICENSE } from './licenses.ts';

/** @param subject what has the license, such as "models: toto" */
export function licenseDenied(subject: string, name: string | null): Fault {
  const license = JSON.stringify(name ?? UNSTATED_LICENSE);
  return new Fault('LICENSE_DENIED', `${subject} has the license ${license}, which this service does not allow.`);
}
