import { Fault } from '../contract/index.ts';

export function queueUnavailable(): Fault {
  return new Fault('UNAVAILABLE', 'This process has no job queue. Start the service to run jobs and send emails.');
}
