import type { OperationId } from '../operations.ts';
import recorded from './recorded.json' with { type: 'json' };
import type { Variables } from './variables.ts';

/** A response of the service to an example. It has `json`, `text` or, if it is an archive, neither. */
export interface RecordedResponse {
  readonly media_type: string;
  readonly json?: unknown;
  readonly text?: string;
}

/** The responses to all examples and the values of the variables, as `npm run examples` recorded them. */
export const RECORDED: {
  readonly variables: Variables;
  readonly responses: Readonly<Partial<Record<OperationId, RecordedResponse>>>;
} = recorded;
