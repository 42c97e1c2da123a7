import { Fault } from '../contract/index.ts';

export function sourceTypeUnavailable(type: string): Fault {
  return new Fault('UNPROCESSABLE', `source.type: ${type} is not available on this service. Use another type.`);
}
