import type { z } from 'zod';
import type { Foundation } from '../../compose/index.ts';

/**
 * A change that the command line can make: the same code whether it runs in the command's own process or, beside a
 * running service, in that service's.
 */
export interface AdminOperation<Input extends z.ZodObject = z.ZodObject> {
  readonly input: Input;
  run(foundation: Foundation, input: z.output<Input>): Promise<object>;
}

export function adminOperation<Input extends z.ZodObject>(operation: AdminOperation<Input>): AdminOperation<Input> {
  return operation;
}
